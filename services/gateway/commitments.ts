import { type CommittedSeeds, readCommitment } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * Caches of seed commitments, which never change, and of opened seeds: one read and one decryption per pair, not per bet.
 */

/** Maximum seed pairs in memory. */
const CACHED_MAX = 50_000;

/** What determines a round, without its nonce and the server seed itself. */
export type DrawnFrom = Pick<CommittedSeeds, 'serverSeedHash' | 'clientSeed'>;

/** The seeds of bets. A bet contains only the number of its pair. */
export interface Commitments {
  /** Seeds of the bet that a command starts with; null for other commands. `state` after the command saves a query. */
  of(
    command: readonly PlacedEvent<LedgerEvent>[],
    state?: PlayerState | null,
  ): Promise<DrawnFrom | null>;
}

export function openCommitments(pool: pg.Pool): Commitments {
  const cache = new LRUCache<string, DrawnFrom, PlacedEvent<BetPlaced>>({
    max: CACHED_MAX,
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
      return (await cache.fetch(`${placed.stream} ${pair}`, { context: placed })) ?? null;
    },
  };
}

/** The same vault with a cache of opened seeds. */
export function cacheSeeds(vault: SeedVault): SeedVault {
  const opened = new LRUCache<string, string>({
    max: CACHED_MAX,
    fetchMethod: (hash) => vault.open(hash),
  });
  return {
    create: (wallet) => vault.create(wallet),
    findFaults: (hashes) => vault.findFaults(hashes),
    async open(hash) {
      return opened.get(hash) ?? (await opened.fetch(hash)) ?? (await vault.open(hash));
    },
  };
}
