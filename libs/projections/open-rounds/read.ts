import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

export const OVERDUE_LIMIT_MAX = 1_000;

export interface OverdueRound {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
}

/** Rounds whose last tick ended at least `graceMs` ago and that nobody has settled, in no order. */
export async function readOverdueRounds(
  db: Db,
  o: { readonly graceMs: number; readonly limit: number },
): Promise<readonly OverdueRound[]> {
  assert(o.limit >= 1 && o.limit <= OVERDUE_LIMIT_MAX, 'a limit');
  // Gateways that sweep at the same time begin with different ones.
  const { rows } = await db.query<OverdueRound>({
    name: 'read-overdue-rounds',
    text: `select round, wallet, game from (
        select round, wallet, game from projections.open_rounds_v1
        where due_at <= clock_timestamp() - $1 * interval '1 millisecond'
        order by due_at limit $2) as overdue order by random()`,
    values: [o.graceMs, o.limit],
  });
  return rows;
}
