import { assert } from '@reelbook/ledger/assert';
import { type Db, reachedSql } from '../projection.ts';
import type { WithdrawalStatus } from './fold.ts';
import { withdrawals } from './projection.ts';

const WITHDRAWALS_LIMIT_MAX = 500;

export interface Withdrawal {
  readonly withdrawal: string;
  readonly wallet: string;
  readonly to: string;
  readonly netMinor: bigint;
  readonly feeMinor: bigint;
  readonly status: WithdrawalStatus;
  readonly approvedBy: readonly string[];
  readonly attempts: number;
  /** Of the last attempt, with its bytes in base64 and the block height that it is valid to. */
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

interface Row {
  withdrawal: string;
  wallet: string;
  to_address: string;
  net: string;
  fee: string;
  status: WithdrawalStatus;
  approved_by: string[];
  attempts: number;
  signature: string | null;
  transaction: string | null;
  last_valid_block_height: number | null;
  signed_slot: number | null;
  reason: string | null;
  requested_at: string;
  updated_at: string;
  position: number;
}

const COLUMNS = `withdrawal, wallet, to_address, net, fee, status, approved_by, attempts, signature,
  transaction, last_valid_block_height, signed_slot, reason, requested_at, updated_at, position`;

/** An open withdrawal, and whether it is its player's first, second, ... of those that are open. */
export interface QueuedWithdrawal extends Withdrawal {
  readonly turn: number;
}

const OPEN = ['requested', 'approved', 'signed'] as const satisfies readonly WithdrawalStatus[];
export type OpenStatus = (typeof OPEN)[number];

/** The place of a withdrawal in the queue. */
export type QueuePlace = Pick<QueuedWithdrawal, 'turn' | 'requestedAt' | 'withdrawal'>;

/**
 * Those that are neither paid nor released: the oldest of each player, then the second of each, and so on, so that one
 * player's many do not delay another's first. Behind `after`, where it is given; of all statuses unless some are named.
 */
export async function readOpenWithdrawals(
  db: Db,
  o: {
    readonly limit: number;
    readonly after?: QueuePlace | null;
    readonly statuses?: readonly OpenStatus[];
    /** Only those that wait for a reason, or only the others; all when not given. */
    readonly held?: boolean;
  },
): Promise<readonly QueuedWithdrawal[]> {
  assert(o.limit >= 1 && o.limit <= WITHDRAWALS_LIMIT_MAX, 'a limit');
  const { turn = 0, requestedAt = null, withdrawal = null } = o.after ?? {};
  const { rows } = await db.query<Row & { turn: number }>({
    name: 'read-open-withdrawals',
    text: `select ${COLUMNS}, turn from (
        select *, row_number() over (partition by wallet order by requested_at, withdrawal) as turn
        from projections.withdrawals_v1 where status in ('requested', 'approved', 'signed')
      ) as queued
      where status = any($5)
        and ($2 = 0 or (turn, requested_at, withdrawal) > ($2, $3::timestamptz, $4))
        and ($6::boolean is null or $6 = exists (
          select from withdrawal_wait_reasons as hold where hold.withdrawal = queued.withdrawal))
      order by turn, requested_at, withdrawal limit $1`,
    values: [o.limit, turn, requestedAt, withdrawal, o.statuses ?? OPEN, o.held ?? null],
  });
  return rows.map((row) => ({ ...toWithdrawal(row), turn: row.turn }));
}

/** One by its id, or null. */
export async function readWithdrawal(db: Db, withdrawal: string): Promise<Withdrawal | null> {
  const { rows } = await db.query<Row>({
    name: 'read-withdrawal',
    text: `select ${COLUMNS} from projections.withdrawals_v1 where withdrawal = $1`,
    values: [withdrawal],
  });
  return rows[0] ? toWithdrawal(rows[0]) : null;
}

/** The net of all that is signed and not over yet, as far as the read model has come (`reached`). */
export async function readSigned(
  db: Db,
): Promise<{ readonly reached: number; readonly netMinor: bigint }> {
  const { rows } = await db.query<{ reached: number | null; net: string }>({
    name: 'read-signed',
    text: `select ${reachedSql(withdrawals)} as reached, coalesce(sum(net), 0)::text as net
      from projections.withdrawals_v1 where status = 'signed'`,
  });
  const [row] = rows;
  return { reached: row?.reached ?? 0, netMinor: BigInt(row?.net ?? 0) };
}

export interface Velocity {
  readonly hourMinor: bigint;
  readonly dayMinor: bigint;
  readonly playerHourMinor: bigint;
  readonly playerDayMinor: bigint;
  /** Of this player, in the hour. */
  readonly playerHourCount: number;
  /** The position that the read model had come to. */
  readonly reached: number;
}

/**
 * What was approved without a person in the hour and the day before now, gross, in all and for one player, as far as the
 * read model has come.
 */
export async function readVelocity(db: Db, wallet: string): Promise<Velocity> {
  const { rows } = await db.query<{
    reached: number | null;
    hour: string;
    day: string;
    player_hour: string;
    player_day: string;
    player_hour_count: number;
  }>(
    `select ${reachedSql(withdrawals)} as reached,
      coalesce(sum(gross) filter (where recent), 0) as hour, coalesce(sum(gross), 0) as day,
      coalesce(sum(gross) filter (where recent and own), 0) as player_hour,
      coalesce(sum(gross) filter (where own), 0) as player_day,
      count(*) filter (where recent and own) as player_hour_count
    from (
      select net + fee as gross, automatic_at > now() - interval '1 hour' as recent,
        wallet = $1 as own
      from projections.withdrawals_v1
      where automatic_at > now() - interval '24 hours') as counted`,
    [wallet],
  );
  const [row] = rows;
  assert(row, 'sums have a row');
  return {
    hourMinor: BigInt(row.hour),
    dayMinor: BigInt(row.day),
    playerHourMinor: BigInt(row.player_hour),
    playerDayMinor: BigInt(row.player_day),
    playerHourCount: row.player_hour_count,
    reached: row.reached ?? 0,
  };
}

/** Whose withdrawal that signature is of, as far as the read model has come; null: of none. */
export async function findWithdrawalSigned(db: Db, signature: string): Promise<string | null> {
  const { rows } = await db.query<{ withdrawal: string }>({
    name: 'find-withdrawal-signed',
    text: 'select withdrawal from projections.withdrawals_v1 where signature = $1',
    values: [signature],
  });
  return rows[0]?.withdrawal ?? null;
}

function toWithdrawal({ to_address, net, fee, ...row }: Row): Withdrawal {
  return {
    withdrawal: row.withdrawal,
    wallet: row.wallet,
    to: to_address,
    netMinor: BigInt(net),
    feeMinor: BigInt(fee),
    status: row.status,
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
