import { type CommittedSeeds, readCommitment } from '@reelbook/event-store/read-stream';
import type { EventProof } from '@reelbook/games/proofs/event-proof';
import {
  publicKeyOf,
  RECEIPT_VERSION,
  type Receipt,
  type ReceiptPosting,
  signReceipt,
} from '@reelbook/games/proofs/receipt';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import { isVisibleToPlayer, postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { playerStream } from '@reelbook/ledger/streams';
import type { Round } from '@reelbook/projections/entries/rounds';
import { readAnchorsFrom, readNewestSeals } from '@reelbook/projections/ledger-seals/projection';
import type { Gateway } from '../context.ts';
import { readOwnRound } from './rounds.ts';

/**
 * One of the player's own events with its proof; a bet includes the commitment to its seeds. Events of others, and hidden
 * events, are not found.
 */
export async function readEventProof(
  gateway: Pick<Gateway, 'prover' | 'pool'>,
  options: { readonly wallet: string; readonly position: number },
): Promise<EventProof> {
  const proven = await gateway.prover.prove(options.position);
  const isOwn = proven?.recorded.stream === playerStream(options.wallet);
  if (!isOwn || !isVisibleToPlayer(proven.recorded.event)) {
    throw new Refused({ failed: 'not-found', detail: { what: 'you have no such event' } });
  }
  if (proven.recorded.event.type !== 'BetPlaced') return proven.proof;
  const seeds = await readCommitment(gateway.pool, proven.recorded as RecordedEvent<BetPlaced>);
  const committed = await proveAll(gateway, commitmentAt(seeds));
  return { ...proven.proof, commitment: committed.map(({ proof }) => proof) };
}

/** The positions of the events that commit to the seeds of a bet. */
const commitmentAt = ({ committedAt }: CommittedSeeds) => [committedAt, committedAt + 1];

const proveAll = ({ prover }: Pick<Gateway, 'prover'>, positions: readonly number[]) =>
  Promise.all(
    positions.map(async (position) => {
      const found = await prover.prove(position);
      assert(found, `the ledger has an event at #${position}`);
      assert(isVisibleToPlayer(found.recorded.event), `its player may see #${position}`);
      return found;
    }),
  );

/**
 * A signed receipt of one of the player's own rounds, as of now. A later receipt may contain more: the revealed seed, or
 * seals of the events.
 */
export async function readReceipt(
  gateway: Pick<Gateway, 'pool' | 'vault' | 'prover' | 'settings' | 'games'>,
  options: { readonly wallet: string; readonly round: string; readonly nowMs: number },
): Promise<Receipt> {
  const { row, serverSeed } = await readOwnRound(gateway, options);
  const ofRound = [row.betPosition, ...(row.settled ? [row.settled.position] : [])];
  const proven = await proveAll(gateway, [...commitmentAt(row), ...ofRound]);
  const { payoutMinor = null } = row.settled ?? {};
  const status = statusOf(row);
  const body = {
    version: RECEIPT_VERSION,
    issued_at: new Date(options.nowMs).toISOString(),
    wallet: options.wallet,
    round_id: row.round,
    game: row.game,
    status,
    rules: row.rules,
    rules_hash: rulesHashOf(gateway, row),
    lines: row.lines,
    ...(row.choice && { choice: row.choice }),
    stake_minor: String(row.stakeMinor),
    payout_minor: payoutMinor === null ? null : String(payoutMinor),
    outcome: row.settled && status !== 'voided' ? row.settled.outcome : null,
    server_seed_hash: row.serverSeedHash,
    seed_status: serverSeed === null ? ('awaiting reveal' as const) : ('revealed' as const),
    server_seed: serverSeed,
    client_seed: row.clientSeed,
    nonce: row.nonce,
    postings: proven.flatMap(({ recorded }) => postingsOf(recorded, options.wallet)),
    events: proven.map(({ proof }) => proof),
  };
  return signReceipt(body, gateway.settings.receiptKey);
}

/** The outcome of a voided round is its reason, see libs/projections/entries/rounds.ts. */
export function statusOf({ settled }: Pick<Round, 'settled'>): Receipt['status'] {
  if (!settled) return 'open';
  if (reasonOf({ settled }) !== null) return 'voided';
  return settled.payoutMinor > 0n ? 'won' : 'lost';
}

/** The reason of a voided round; else null. */
export function reasonOf({ settled }: Pick<Round, 'settled'>): string | null {
  const { voided } = settled?.outcome ?? {};
  return typeof voided === 'string' ? voided : null;
}

function postingsOf({ event, position }: RecordedEvent, wallet: string): ReceiptPosting[] {
  return postings(event, wallet).map(({ account, asset, deltaMinor }) => ({
    position,
    account,
    asset,
    delta_minor: String(deltaMinor),
  }));
}

const rulesHashes = new Map<string, string>();

/** Rules never change: each is hashed once. */
function rulesHashOf({ games }: Pick<Gateway, 'games'>, { game, rules }: Round): string {
  const key = `${game} ${rules}`;
  const known = rulesHashes.get(key) ?? findGame(game, games)?.odds(rules).rulesHash;
  assert(known, `${game} has rules ${rules}`);
  rulesHashes.set(key, known);
  return known;
}

/** The public key of receipts. */
export function receiptKeyAnswer({ settings }: Pick<Gateway, 'settings'>) {
  const public_key = publicKeyOf(settings.receiptKey);
  return { algorithm: 'ed25519' as const, public_key, receipt_version: RECEIPT_VERSION };
}

export async function readLedgerSeals({ pool }: Pick<Gateway, 'pool'>, limit: number) {
  const seals = await readNewestSeals(pool, limit);
  const anchors = await readAnchorsFrom(pool, seals.at(-1)?.seal ?? 1);
  return seals.map(({ chainHash, sealedAt, ...seal }) => ({
    ...seal,
    chain_hash: chainHash,
    sealed_at: sealedAt,
    anchor_signature: anchors.find((one) => one.seal >= seal.seal)?.signature ?? null,
  }));
}
