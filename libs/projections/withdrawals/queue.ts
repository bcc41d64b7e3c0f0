/**
 * Which withdrawals to look at, and in which order: all that code which decides, signs or pays may take from this read
 * model. What they are is in the events of their players.
 */
import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { sql } from 'kysely';
import type { Db } from '../projection.ts';
import type { WithdrawalStatus } from './projection.ts';

const WITHDRAWALS_LIMIT_MAX = 500;

/** An open withdrawal, and whether it is its player's first, second, ... open one. */
export interface QueuedWithdrawal {
  readonly withdrawal: string;
  readonly wallet: string;
  readonly requestedAt: string;
  readonly turn: number;
}

const OPEN = ['requested', 'approved', 'signed'] as const satisfies readonly WithdrawalStatus[];
export type OpenStatus = (typeof OPEN)[number];

/** The position of a withdrawal in the queue. */
export type QueuePlace = Pick<QueuedWithdrawal, 'turn' | 'requestedAt' | 'withdrawal'>;

const QUEUED = tables
  .selectFrom('projections.withdrawals_v1')
  .select(['withdrawal', 'wallet', 'status', 'requested_at'])
  .select(
    sql<number>`row_number() over (partition by wallet order by requested_at, withdrawal)`.as(
      'turn',
    ),
  )
  .where(sql<boolean>`status in ('requested', 'approved', 'signed')`);

/**
 * Withdrawals that are neither paid nor released: the oldest of each player, then the second of each, and so on, so that one
 * player's many do not delay another's first. After `after`, if given; of all statuses unless some are named.
 */
export async function readOpenWithdrawals(
  db: Db,
  options: {
    readonly limit: number;
    readonly after?: QueuePlace | null;
    readonly statuses?: readonly OpenStatus[];
    /** Only those that wait for a reason, or only the others; all by default. */
    readonly held?: boolean;
  },
): Promise<readonly QueuedWithdrawal[]> {
  assert(options.limit >= 1 && options.limit <= WITHDRAWALS_LIMIT_MAX, 'a limit');
  const { turn = 0, requestedAt = null, withdrawal = null } = options.after ?? {};
  const place = sql`(turn, requested_at, withdrawal)`;
  const after = sql`(${turn}, ${requestedAt}::timestamptz, ${withdrawal})`;
  const isHeld = sql`exists (
    select from withdrawal_wait_reasons as hold where hold.withdrawal = queued.withdrawal)`;
  const held = options.held ?? null;
  const page = tables
    .selectFrom(QUEUED.as('queued'))
    .select(['withdrawal', 'wallet', 'requested_at as requestedAt', 'turn'])
    .where('status', '=', anyOf('text', options.statuses ?? OPEN))
    .where(sql<boolean>`(${turn} = 0 or ${place} > ${after})`)
    .where(sql<boolean>`(${held}::boolean is null or ${held} = ${isHeld})`)
    .orderBy('turn')
    .orderBy('requested_at')
    .orderBy('withdrawal')
    .limit(options.limit);
  return rowsOf(db, page, 'read-open-withdrawals');
}

/** The wallets of those of the given withdrawals that the read model has as open. */
export async function readListed(
  db: Db,
  withdrawals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const listed = tables
    .selectFrom('projections.withdrawals_v1')
    .select(['withdrawal', 'wallet'])
    .where('withdrawal', '=', anyOf('text', withdrawals))
    .where('status', '=', anyOf('text', OPEN));
  const rows = await rowsOf(db, listed, 'read-listed');
  return new Map(rows.map(({ withdrawal, wallet }) => [withdrawal, wallet]));
}

/** The player of a withdrawal; null if there is none. */
export async function readWalletOf(db: Db, withdrawal: string): Promise<string | null> {
  const one = tables
    .selectFrom('projections.withdrawals_v1')
    .select('wallet')
    .where('withdrawal', '=', withdrawal);
  return (await rowOf(db, one, 'read-wallet-of-withdrawal'))?.wallet ?? null;
}
