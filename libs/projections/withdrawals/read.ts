import { rowOf, tables } from '@reelbook/event-store/query';
import { type InferResult, sql } from 'kysely';
import type { Db } from '../projection.ts';
import type { WithdrawalStatus } from './fold.ts';

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

/** One by its id, or null. */
export async function readWithdrawal(db: Db, withdrawal: string): Promise<Withdrawal | null> {
  const row = await rowOf(db, WITHDRAWALS.where('withdrawal', '=', withdrawal), 'read-withdrawal');
  return row && toWithdrawal(row);
}

/** The net of all that is signed and not over yet, as far as the projection has come. */
export async function readSignedMinor(db: Db): Promise<bigint> {
  const signed = tables
    .selectFrom('projections.withdrawals_v1')
    .select(sql<string>`coalesce(sum(net), 0)`.as('net'))
    .where('status', '=', sql.lit('signed'));
  return BigInt((await rowOf(db, signed, 'read-signed'))?.net ?? 0);
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
