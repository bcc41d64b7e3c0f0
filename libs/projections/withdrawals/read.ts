import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { type InferResult, sql } from 'kysely';
import { type Db, reachedBy } from '../projection.ts';
import type { WithdrawalStatus } from './fold.ts';
import { withdrawals } from './projection.ts';

const WITHDRAWALS_LIMIT_MAX = 500;
/** By name: the statements are prepared, and an added column would change the result of `*`. */
const WITHDRAWALS = tables
  .selectFrom('projections.withdrawals_v1')
  .select(['withdrawal', 'wallet', 'to_address', 'net', 'fee', 'status', 'approved_by', 'attempts'])
  .select(['signature', 'transaction', 'last_valid_block_height', 'signed_slot', 'reason'])
  .select(['requested_at', 'updated_at', 'position']);

export interface Withdrawal {
  readonly withdrawal: string;
  readonly wallet: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly feeMinor: bigint;
  readonly status: WithdrawalStatus;
  readonly approvedBy: readonly string[];
  readonly attempts: number;
  /** Of the last attempt, with its bytes in base64 and the last block height at which it is valid. */
  readonly signature: string | null;
  readonly transaction: string | null;
  readonly lastValidBlockHeight: number | null;
  /** The slot in which it was signed. */
  readonly signedSlot: number | null;
  readonly reason: string | null;
  readonly requestedAt: string;
  readonly updatedAt: string;
  readonly position: number;
}

type Row = InferResult<typeof WITHDRAWALS>[number];

const REACHED = reachedBy(withdrawals).as('reached');

/** An open withdrawal, and whether it is its player's first, second, ... open one. */
export interface QueuedWithdrawal extends Withdrawal {
  readonly turn: number;
}

const OPEN = ['requested', 'approved', 'signed'] as const satisfies readonly WithdrawalStatus[];
export type OpenStatus = (typeof OPEN)[number];

/** The position of a withdrawal in the queue. */
export type QueuePlace = Pick<QueuedWithdrawal, 'turn' | 'requestedAt' | 'withdrawal'>;

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
    .selectAll()
    .where('status', '=', anyOf('text', options.statuses ?? OPEN))
    .where(sql<boolean>`(${turn} = 0 or ${place} > ${after})`)
    .where(sql<boolean>`(${held}::boolean is null or ${held} = ${isHeld})`)
    .orderBy('turn')
    .orderBy('requested_at')
    .orderBy('withdrawal')
    .limit(options.limit);
  const rows = await rowsOf(db, page, 'read-open-withdrawals');
  return rows.map((row) => ({ ...toWithdrawal(row), turn: row.turn }));
}

const QUEUED = WITHDRAWALS.select(
  sql<number>`row_number() over (partition by wallet order by requested_at, withdrawal)`.as('turn'),
).where(sql<boolean>`status in ('requested', 'approved', 'signed')`);

/** One by its id, or null. */
export async function readWithdrawal(db: Db, withdrawal: string): Promise<Withdrawal | null> {
  const row = await rowOf(db, WITHDRAWALS.where('withdrawal', '=', withdrawal), 'read-withdrawal');
  return row && toWithdrawal(row);
}

/** The net of all that is signed and not over yet, as far as the projection has come (`reached`). */
export async function readSigned(
  db: Db,
): Promise<{ readonly reached: number; readonly netMinor: bigint }> {
  const signed = tables
    .selectFrom('projections.withdrawals_v1')
    .select([REACHED, sql<string>`coalesce(sum(net), 0)`.as('net')])
    .where('status', '=', sql.lit('signed'));
  const row = await rowOf(db, signed, 'read-signed');
  return { reached: row?.reached ?? 0, netMinor: BigInt(row?.net ?? 0) };
}

export interface Velocity {
  readonly hourMinor: bigint;
  readonly dayMinor: bigint;
  readonly playerHourMinor: bigint;
  readonly playerDayMinor: bigint;
  /** Of this player, in the hour. */
  readonly playerHourCount: number;
  /** The position that the projection has reached. */
  readonly reached: number;
}

/**
 * Gross amounts that were approved automatically in the last hour and day, in all and for one player, as far as the
 * projection has come.
 */
export async function readVelocity(db: Db, wallet: string): Promise<Velocity> {
  const recent = sql`automatic_at > now() - interval '1 hour'`;
  const own = sql`wallet = ${wallet}`;
  const sums = tables
    .selectFrom('projections.withdrawals_v1')
    .select([
      REACHED,
      sql<string>`coalesce(sum(net + fee) filter (where ${recent}), 0)`.as('hour'),
      sql<string>`coalesce(sum(net + fee), 0)`.as('day'),
      sql<string>`coalesce(sum(net + fee) filter (where ${recent} and ${own}), 0)`.as('own_hour'),
      sql<string>`coalesce(sum(net + fee) filter (where ${own}), 0)`.as('own_day'),
      sql<number>`count(*) filter (where ${recent} and ${own})`.as('own_hour_count'),
    ])
    .where(sql<boolean>`automatic_at > now() - interval '24 hours'`);
  const row = await rowOf(db, sums);
  assert(row, 'sums have a row');
  return {
    hourMinor: BigInt(row.hour),
    dayMinor: BigInt(row.day),
    playerHourMinor: BigInt(row.own_hour),
    playerDayMinor: BigInt(row.own_day),
    playerHourCount: row.own_hour_count,
    reached: row.reached ?? 0,
  };
}

function toWithdrawal({ to_address, net, fee, ...row }: Row): Withdrawal {
  return {
    withdrawal: row.withdrawal,
    wallet: row.wallet,
    to: to_address,
    netMinor: BigInt(net),
    feeMinor: BigInt(fee),
    status: row.status as WithdrawalStatus,
    approvedBy: row.approved_by,
    attempts: row.attempts,
    signature: row.signature,
    transaction: row.transaction,
    lastValidBlockHeight: row.last_valid_block_height,
    signedSlot: row.signed_slot,
    reason: row.reason,
    requestedAt: row.requested_at,
    updatedAt: row.updated_at,
    position: row.position,
  };
}
