import { rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { sql } from 'kysely';
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
 * Rounds whose last tick ended at least `graceMs` ago and that are not settled, the oldest first; with `after`, those after
 * that one.
 */
export async function readOverdueRounds(
  db: Db,
  options: {
    readonly graceMs: number;
    readonly limit: number;
    readonly after: OverdueRound | null;
  },
): Promise<readonly OverdueRound[]> {
  assert(options.limit >= 1 && options.limit <= OVERDUE_LIMIT_MAX, 'a limit');
  const { dueAt = null, position = null } = options.after ?? {};
  const overdue = tables
    .selectFrom('projections.open_rounds_v1')
    .select(['round', 'wallet', 'game', 'position', 'due_at as dueAt'])
    .where(
      sql<boolean>`due_at <= clock_timestamp() - ${options.graceMs} * interval '1 millisecond'`,
    )
    .where(sql<boolean>`(due_at, position)
      > (coalesce(${dueAt}, '-infinity')::timestamptz, coalesce(${position}, 0)::bigint)`)
    .orderBy('due_at')
    .orderBy('position')
    .limit(options.limit);
  return rowsOf(db, overdue, 'read-overdue-rounds');
}
