import { type CommittedSeeds, readCommitment } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * What a gateway keeps in memory of seeds: what players were committed to, which never changes, and the seeds in use, so
 * that there is one read and one decryption per pair and not per bet.
 */

/** Pairs kept in memory. */
const KEPT_MAX = 50_000;

/** What a round is drawn from, but for its nonce and the server seed itself. */
export type DrawnFrom = Pick<CommittedSeeds, 'serverSeedHash' | 'clientSeed'>;

/** The seeds that bets are drawn from. A bet names the number of their pair alone. */
export interface Commitments {
  /** Of the bet that a command begins with; null for any other command. `state`: that after it, which spares the look-up. */
  of(
    command: readonly PlacedEvent<LedgerEvent>[],
    state?: PlayerState | null,
  ): Promise<DrawnFrom | null>;
}

export function openCommitments(pool: pg.Pool): Commitments {
  const kept = new LRUCache<string, DrawnFrom, PlacedEvent<BetPlaced>>({
    max: KEPT_MAX,
    fetchMethod: (_key, _stale, { context }) => readCommitment(pool, context),
  });
  return {
    async of([first], state) {
      if (first?.event.type !== 'BetPlaced') return null;
      const placed = first as PlacedEvent<BetPlaced>;
      const { pair } = placed.event.data;
      const seeds = state?.seeds;
      if (seeds?.pair === pair) {
        return { serverSeedHash: seeds.activeHash, clientSeed: seeds.clientSeed };
      }
      return (await kept.fetch(`${placed.stream} ${pair}`, { context: placed })) ?? null;
    },
  };
}

/** The same vault, remembering what it opened. */
export function rememberSeeds(vault: SeedVault): SeedVault {
  const opened = new LRUCache<string, string>({
    max: KEPT_MAX,
    fetchMethod: (hash) => vault.open(hash),
  });
  return {
    create: () => vault.create(),
    findFaults: (hashes) => vault.findFaults(hashes),
    async open(hash) {
      return opened.get(hash) ?? (await opened.fetch(hash)) ?? (await vault.open(hash));
    },
  };
}
