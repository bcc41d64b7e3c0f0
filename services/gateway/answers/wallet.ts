import { depositFaultText } from '@reelbook/contract/english';
import type { Transaction } from '@reelbook/contract/player/profile';
import type { SystemConfig } from '@reelbook/contract/player/public';
import type {
  DepositResult,
  ExchangeResult,
  Payment,
  PaymentUpdate,
  WithdrawResult,
} from '@reelbook/contract/player/wallet';
import { type Config, exchangeInForce } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { isDepositFault } from '@reelbook/ledger/deposit-faults';
import type { PlacedEvent, RecordedEvent } from '@reelbook/ledger/events';
import { type Asset, rateNumber, toNumber } from '@reelbook/ledger/money';
import type { Exchanged } from '@reelbook/ledger/player/events';
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
function paidExtra(row: TransactionRow, hold: string | null) {
  const { type: action, signature, withdrawal: withdrawal_id, to: to_address, feeMinor } = row;
  const destination = to_address ? { to_address } : {};
  const fee = feeMinor === null ? {} : { fee: bsm(feeMinor) };
  const withdrawal = withdrawal_id ? { withdrawal_id, ...destination, ...fee, hold } : {};
  return { action, signature, ...withdrawal };
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

/** Response to an exchange and its push message, from its event; null for events of other commands. */
export function exchangeAnswer(events: readonly PlacedEvent<LedgerEvent>[]): ExchangeResult | null {
  const [placed] = events;
  if (placed?.event.type !== 'Exchanged') return null;
  const { data } = placed.event as Exchanged;
  const received = toNumber(data.toAsset, data.toMinor);
  return {
    success: true,
    from_type: data.fromAsset,
    to_type: data.toAsset,
    amount: toNumber(data.fromAsset, data.fromMinor),
    tokens_received: data.toAsset === 'token' ? received : 0,
    points_received: data.toAsset === 'points' ? received : 0,
    rate: rateNumber(data.rate),
    created_at: placed.time,
    ...balancesAnswer(data.after, placed),
  };
}

const descriptions: Readonly<Record<TransactionRow['type'], string>> = {
  bet: 'Bet',
  win: 'Win',
  void: 'Bet returned',
  welcome: 'Welcome points',
  adjustment: 'Adjustment by an operator',
  exchange: 'Exchange',
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
};
const names: Readonly<Record<Asset, string>> = { points: 'points', token: 'BSM' };
/** `extra_data` uses "tokens", as the clients of the specification expect. */
const extraNames: Readonly<Record<Asset, string>> = { points: 'points', token: 'tokens' };

/** `hold`: why a withdrawal waits. */
export function transactionAnswer(row: TransactionRow, hold: string | null = null): Transaction {
  const { id, description, extra } = row.type === 'exchange' ? exchanged(row) : moved(row, hold);
  return {
    id,
    type: row.type,
    amount: toNumber(row.asset, row.amountMinor),
    asset: row.asset,
    status: row.status,
    description,
    created_at: row.createdAt,
    extra_data: JSON.stringify(extra),
    position: row.position,
    balance_after: toNumber(row.asset, row.balanceAfterMinor),
  };
}

function moved(row: TransactionRow, hold: string | null) {
  if (row.type === 'deposit' || row.type === 'withdraw') {
    const back = row.type === 'withdraw' && row.amountMinor > 0n ? ' returned' : '';
    const description = `${descriptions[row.type]}${back}${hold ? `, waiting: ${hold}` : ''}`;
    return { id: String(row.position), description, extra: paidExtra(row, hold) };
  }
  const game = row.game?.replaceAll('-', ' ');
  const description = descriptions[row.type];
  return {
    id: String(row.position),
    description: game ? `${description}, ${game}` : description,
    extra: { action: row.type, game: row.game, round_id: row.round },
  };
}

/** An exchange has two rows of one event: the amount given is negative, the amount received is positive. */
function exchanged(row: TransactionRow) {
  const given = row.amountMinor < 0n;
  const other = row.asset === 'points' ? 'token' : 'points';
  const [from, to] = given ? ([row.asset, other] as const) : ([other, row.asset] as const);
  return {
    id: `${row.position}-${row.asset}`,
    description: `${descriptions.exchange}, ${names[from]} to ${names[to]}`,
    extra: {
      action: given ? 'exchange_from' : 'exchange_to',
      from_type: extraNames[from],
      to_type: extraNames[to],
    },
  };
}

export function systemConfigAnswer(
  config: Config,
): Omit<SystemConfig, 'network' | 'rpc_url' | 'faucet' | 'origin' | 'login_sentence'> {
  const { withdraw, deposit } = config;
  return {
    withdraw_fee_rate: rateNumber(withdraw.feeRate),
    withdraw_automatic_max: toNumber('token', withdraw.automaticMaxTokenMinor),
    withdraw_hour_max: toNumber('token', withdraw.playerHourMaxTokenMinor),
    withdraw_day_max: toNumber('token', withdraw.playerDayMaxTokenMinor),
    withdraw_hour_count: withdraw.playerHourMaxCount,
    withdraw_new_account_min: toNumber('token', withdraw.newAccountMinTokenMinor),
    min_withdraw: toNumber('token', withdraw.minTokenMinor),
    min_deposit: toNumber('token', deposit.minTokenMinor),
    max_deposit: toNumber('token', deposit.maxTokenMinor),
    exchange_enabled: exchangeInForce(config).enabled,
    withdrawals_enabled: withdraw.enabled,
  };
}

type Step = Payment['steps'][number];

/** A withdrawal from its events, ascending; null if its request is not among them. */
export function paymentOf(
  events: readonly RecordedEvent[],
  network: string | null,
): Payment | null {
  const requested = events.find(({ event }) => event.type === 'WithdrawalRequested')?.event;
  if (requested?.type !== 'WithdrawalRequested') return null;
  const { withdrawal, to, amountMinor, feeMinor, netMinor, confirmation } = requested.data;
  let progress: Progress = { status: 'pending', signature: null, chain_status: null, reason: null };
  for (const { event } of events) progress = { ...progress, ...progressBy(event) };
  return {
    id: withdrawal,
    type: 'withdraw',
    to_address: to,
    amount: toNumber('token', amountMinor),
    fee: toNumber('token', feeMinor),
    net_amount: toNumber('token', netMinor),
    confirmed_by_wallet: confirmation !== undefined,
    ...progress,
    explorer_url: explorerUrl(network, progress.signature),
    hold: null,
    usual: null,
    fault: null,
    steps: events.flatMap(stepOf),
  };
}

type Progress = Pick<Payment, 'status' | 'signature' | 'chain_status' | 'reason'>;

function progressBy(event: RecordedEvent['event']): Partial<Progress> {
  switch (event.type) {
    case 'WithdrawalApproved':
      return event.data.approvals < event.data.needed ? {} : { status: 'approved' };
    case 'WithdrawalSigned': {
      const { signature } = event.data;
      return { status: 'processing', chain_status: 'sent', signature };
    }
    case 'WithdrawalAttemptFailed':
      return { status: 'approved', chain_status: null };
    case 'WithdrawalFinalized': {
      const { signature } = event.data;
      return { status: 'completed', chain_status: 'finalized', signature };
    }
    case 'WithdrawalDenied':
      return { reason: event.data.reason };
    case 'WithdrawalReleased':
      return { status: 'returned', chain_status: null, reason: event.data.reason };
    default:
      return {};
  }
}

function stepOf({ event, position, time: at }: RecordedEvent): Step[] {
  const of = (step: Step['step']): Step[] => [{ step, at, position }];
  switch (event.type) {
    case 'WithdrawalRequested':
      return of('requested');
    case 'WithdrawalApproved': {
      const { approvals, needed } = event.data;
      const step = approvals < needed ? 'approval' : 'approved';
      return [{ step, at, position, approvals, needed }];
    }
    case 'WithdrawalDenied':
      return of('denied');
    case 'WithdrawalSigned':
      return of('sent');
    case 'WithdrawalAttemptFailed':
      return of('attempt-failed');
    case 'WithdrawalFinalized':
      return of('final');
    case 'WithdrawalReleased':
      return of('returned');
    default:
      return [];
  }
}

const CLUSTERS: Readonly<Record<string, string>> = {
  'mainnet-beta': '',
  devnet: '?cluster=devnet',
  testnet: '?cluster=testnet',
};

/** The page of a transaction in the block explorer of Solana; null on a local chain, which no explorer shows. */
export function explorerUrl(network: string | null, signature: string | null): string | null {
  const cluster = network !== null && Object.hasOwn(CLUSTERS, network) ? CLUSTERS[network] : null;
  if (cluster === null || cluster === undefined || signature === null) return null;
  return `https://explorer.solana.com/tx/${signature}${cluster}`;
}
