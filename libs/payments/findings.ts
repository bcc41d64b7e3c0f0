import { foldedState } from '@reelbook/event-store/read-stream';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { CASHIER } from '@reelbook/ledger/player/payment-events';
import { openOf } from '@reelbook/ledger/player/withdrawals';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** Whether an open finding of an audit holds a withdrawal that operators have not approved. By the events alone. */
export async function isHeldByFinding(
  pool: pg.Pool,
  { withdrawal, wallet }: { readonly withdrawal: string; readonly wallet: string },
): Promise<boolean> {
  const { state: operators } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  if (findingsOn(operators, wallet) === 0) return false;
  const { state } = await foldedState(pool, playerDecider, playerStream(wallet));
  return openOf(state, withdrawal)?.approvedBy.every((by) => by === CASHIER) ?? true;
}
