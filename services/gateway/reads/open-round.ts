import { readCommand } from '@reelbook/event-store/read-log';
import { roundSeedOf } from '@reelbook/fairness/draw';
import { Bug } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetPlaced, BetVoided, BetWon } from '@reelbook/ledger/player/events';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import type { DrawnFrom } from '../commitments.ts';
import type { Gateway } from '../context.ts';

/** Where and when a round was begun. */
export interface PlacedRound {
  readonly position: number;
  readonly placedAt: string;
  /** Since then, by the clock that records, in whole milliseconds: never more than a settlement will show. */
  readonly elapsedMs: number;
}

/** Looks backwards through the player's own events: an open round is among the newest. Throws `Bug` if there is none. */
export async function readPlacedRound(
  pool: pg.Pool,
  { wallet, round }: { readonly wallet: string; readonly round: string },
): Promise<PlacedRound> {
  const { rows } = await pool.query<{ position: number; placed_at: string; elapsed: number }>({
    name: 'read-placed-round',
    text: `select position, recorded_at as placed_at, (extract(epoch from
        date_trunc('milliseconds', clock_timestamp()) - recorded_at) * 1000)::bigint as elapsed
      from events where stream = stream_key($1) and type = 'BetPlaced'
        and body->'data'->>'round' = $2
      order by version desc limit 1`,
    values: [playerStream(wallet), round],
  });
  const [row] = rows;
  if (!row) throw new Bug(`round ${round} was begun by an event`);
  return { position: row.position, placedAt: row.placed_at, elapsedMs: row.elapsed };
}

export type RoundEnd = RecordedEvent<BetWon | BetLost | BetVoided>;

/** The event that ended a round, by whatever command; null while it is open. Looks backwards as `readPlacedRound`. */
export async function readRoundEnd(
  pool: pg.Pool,
  { wallet, round }: { readonly wallet: string; readonly round: string },
): Promise<RoundEnd | null> {
  const { rows } = await pool.query<{ first_position: number }>({
    name: 'read-round-end',
    text: `select first_position from events
      where stream = stream_key($1) and type in ('BetWon', 'BetLost', 'BetVoided')
        and body->'data'->>'round' = $2
      order by version desc limit 1`,
    values: [playerStream(wallet), round],
  });
  const [row] = rows;
  if (!row) return null;
  const events = await readCommand<BetWon | BetLost | BetVoided>(pool, row.first_position);
  return events.at(-1) ?? null;
}

/** The seed from which alone a round is drawn: 64 hex digits. */
export async function roundSeedFor(
  { vault }: Pick<Gateway, 'vault'>,
  round: DrawnFrom & Pick<BetPlaced['data'], 'nonce'>,
): Promise<string> {
  const { serverSeedHash, clientSeed, nonce } = round;
  return roundSeedOf({ serverSeed: await vault.open(serverSeedHash), clientSeed, nonce });
}
