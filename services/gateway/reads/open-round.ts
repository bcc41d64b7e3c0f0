import { Bug } from '@reelbook/ledger/assert';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

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
