import { foldedState } from '@reelbook/event-store/read-stream';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import type { OpenWithdrawal } from '@reelbook/ledger/player/withdrawals';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** Whether an open finding of an audit holds a withdrawal that operators have not approved. */
export async function isHeldByFinding(
  pool: pg.Pool,
  { wallet, approvedBy }: Pick<OpenWithdrawal, 'approvedBy'> & { readonly wallet: string },
): Promise<boolean> {
  if (!approvedBy.every((by) => by === CASHIER)) return false;
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  return findingsOn(state, wallet) > 0;
}
