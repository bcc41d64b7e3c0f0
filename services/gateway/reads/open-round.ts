import { rowOf, tables } from '@reelbook/event-store/query';
import { readCommand } from '@reelbook/event-store/read-log';
import { roundSeedOf } from '@reelbook/games/fairness/draw';
import { Bug } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetPlaced, BetVoided, BetWon } from '@reelbook/ledger/player/events';
import { playerStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';
import type { DrawnFrom } from '../commitments.ts';
import type { Gateway } from '../context.ts';

/** Position and time of the start of a round. */
export interface PlacedRound {
  readonly position: number;
  readonly placedAt: string;
  /** Milliseconds since its start by the clock of the ledger, rounded down: never more than a settlement records. */
  readonly elapsedMs: number;
}

/** Searches the player's events backwards: an open round is among the newest. Throws `Bug` without one. */
export async function readPlacedRound(
  pool: pg.Pool,
  { wallet, round }: { readonly wallet: string; readonly round: string },
): Promise<PlacedRound> {
  const elapsed = sql<number>`(extract(epoch from
    date_trunc('milliseconds', clock_timestamp()) - coalesce((body->>'clock')::timestamptz, recorded_at)) * 1000)::bigint`;
  const placed = newestOf(wallet, round)
    .select(['position', 'recorded_at as placedAt', elapsed.as('elapsedMs')])
    .where('type', '=', sql.lit('BetPlaced'));
  const row = await rowOf(pool, placed, 'read-placed-round');
  if (!row) throw new Bug(`round ${round} has no start event`);
  return row;
}

export type RoundEnd = RecordedEvent<BetWon | BetLost | BetVoided>;

/** The event that ended a round; null while it is open. Searches backwards like `readPlacedRound`. */
export async function readRoundEnd(
  pool: pg.Pool,
  { wallet, round }: { readonly wallet: string; readonly round: string },
): Promise<RoundEnd | null> {
  const end = newestOf(wallet, round)
    .select('first_position')
    .where(sql<boolean>`type in ('BetWon', 'BetLost', 'BetVoided')`);
  const row = await rowOf(pool, end, 'read-round-end');
  if (!row) return null;
  const events = await readCommand<BetWon | BetLost | BetVoided>(pool, row.first_position);
  return events.at(-1) ?? null;
}

const newestOf = (wallet: string, round: string) =>
  tables
    .selectFrom('events')
    .where('stream', '=', sql<string>`stream_key(${playerStream(wallet)})`)
    .where(sql<string>`body->'data'->>'round'`, '=', round)
    .orderBy('version', 'desc')
    .limit(sql.lit(1));

/** The seed that determines a round: 64 hex digits. */
export async function roundSeedFor(
  { vault }: Pick<Gateway, 'vault'>,
  round: DrawnFrom & Pick<BetPlaced['data'], 'nonce'>,
): Promise<string> {
  const { serverSeedHash, clientSeed, nonce } = round;
  return roundSeedOf({ serverSeed: await vault.open(serverSeedHash), clientSeed, nonce });
}
