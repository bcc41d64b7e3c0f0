import { depositFaultText } from '@reelbook/contract/english-text';
import type { Transaction } from '@reelbook/contract/player/profile';
import type {
  DepositResult,
  PaymentUpdate,
  WithdrawResult,
} from '@reelbook/contract/player/wallet';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { isDepositFault } from '@reelbook/ledger/deposit-faults';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';
import type { PaymentEvent, WithdrawalRequested } from '@reelbook/ledger/player/payment-events';
import type { Report } from '@reelbook/payments/reports';
import type { Transaction as TransactionRow } from '@reelbook/projections/entries/history';
import { balancesAnswer } from './player.ts';

const bsm = (minor: bigint) => toNumber('token', minor);

/** Response to a withdrawal request, from its event; null for events of other commands. */
export function withdrawAnswer(events: readonly PlacedEvent<LedgerEvent>[]): WithdrawResult | null {
  const [placed] = events;
  if (placed?.event.type !== 'WithdrawalRequested') return null;
  const { data } = placed.event as WithdrawalRequested;
  return {
    success: true,
    withdrawal_id: data.withdrawal,
    status: 'pending',
    amount: bsm(data.amountMinor),
    fee: bsm(data.feeMinor),
    net_amount: bsm(data.netMinor),
    to_address: data.to,
    created_at: placed.time,
    ...balancesAnswer(data.after, placed),
  };
}

const depositText: Readonly<Record<DepositResult['status'], string>> = {
  pending: 'pending: credited when finalized on the chain',
  completed: 'credited',
  failed: 'this transaction is not your deposit',
  review: 'received: an operator checks its owner',
};

export function depositTextOf({ status, reason }: Pick<Report, 'status' | 'reason'>): string {
  return (status === 'failed' || status === 'pending') && reason
    ? `${depositText[status]}: ${depositFaultText(reason)}`
    : depositText[status];
}

/** A reported deposit that is not in the ledger yet, as a transaction. */
export function reportAnswer(report: Report): Transaction {
  const { signature, status } = report;
  const reason = report.reason && depositFaultText(report.reason);
  const fault = isDepositFault(report.reason) ? report.reason : null;
  return {
    id: `report-${signature}`,
    type: 'deposit',
    amount: bsm(report.amountMinor),
    asset: 'token',
    status,
    description: `Deposit, ${depositTextOf(report)}`,
    created_at: report.reportedAt,
    extra_data: JSON.stringify({ action: 'deposit', signature, reason, fault }),
    position: 0,
    balance_after: null,
  };
}

/** Additional data of a deposit or withdrawal. `hold`: why it waits. */
export function paidExtra(row: TransactionRow, hold: string | null) {
  const { type: action, signature, withdrawal: withdrawal_id, to: to_address } = row;
  const destination = to_address ? { to_address } : {};
  return { action, signature, ...(withdrawal_id ? { withdrawal_id, ...destination, hold } : {}) };
}

/** The live-channel message of one event; null if players do not see it. */
export function paymentUpdate(placed: PlacedEvent<LedgerEvent>): PaymentUpdate | null {
  const event = placed.event as PaymentEvent;
  const { position: id, time: created_at, version: stream_version } = placed;
  const place = { id, created_at, stream_version };
  switch (event.type) {
    case 'DepositCredited': {
      const { amountMinor, signature } = event.data;
      const deposit = { type: 'deposit', status: 'completed' } as const;
      return { ...place, ...deposit, amount: bsm(amountMinor), signature };
    }
    case 'WithdrawalRequested': {
      const { amountMinor, withdrawal } = event.data;
      return { ...place, ...step('pending', withdrawal), amount: bsm(amountMinor) };
    }
    case 'WithdrawalApproved': {
      const { approvals, needed, withdrawal } = event.data;
      return approvals < needed ? null : { ...place, ...step('approved', withdrawal) };
    }
    case 'WithdrawalSigned': {
      const { withdrawal, signature } = event.data;
      return { ...place, ...step('processing', withdrawal), signature };
    }
    case 'WithdrawalAttemptFailed':
      return { ...place, ...step('approved', event.data.withdrawal) };
    case 'WithdrawalFinalized': {
      const { withdrawal, signature, netMinor, feeMinor } = event.data;
      const amount = bsm(netMinor + feeMinor);
      return { ...place, ...step('completed', withdrawal), amount, signature };
    }
    case 'WithdrawalReleased': {
      const { withdrawal, netMinor, feeMinor } = event.data;
      return { ...place, ...step('returned', withdrawal), amount: bsm(netMinor + feeMinor) };
    }
    default:
      return null;
  }
}

function step<Status extends PaymentUpdate['status']>(status: Status, withdrawal_id: string) {
  return { type: 'withdraw', status, withdrawal_id } as const;
}
