import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

const OVERDUE_LIMIT_MAX = 1_000;

export interface OverdueRound {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
  readonly position: number;
  /** When its last tick ended. */
  readonly dueAt: string;
}

/**
 * Rounds whose last tick ended at least `graceMs` ago and that nobody has settled, the oldest first; with `after`, those
 * behind that one.
 */
export async function readOverdueRounds(
  db: Db,
  o: { readonly graceMs: number; readonly limit: number; readonly after: OverdueRound | null },
): Promise<readonly OverdueRound[]> {
  assert(o.limit >= 1 && o.limit <= OVERDUE_LIMIT_MAX, 'a limit');
  const { rows } = await db.query<OverdueRound>({
    name: 'read-overdue-rounds',
    text: `select round, wallet, game, position, due_at as "dueAt" from projections.open_rounds_v1
      where due_at <= clock_timestamp() - $1 * interval '1 millisecond'
        and (due_at, position) > (coalesce($3, '-infinity')::timestamptz, coalesce($4, 0)::bigint)
      order by due_at, position limit $2`,
    values: [o.graceMs, o.limit, o.after?.dueAt ?? null, o.after?.position ?? null],
  });
  return rows;
}
