import type { SystemConfig } from '@reelbook/contract/player/configuration';
import type { Transaction } from '@reelbook/contract/player/profile';
import type { ExchangeResult } from '@reelbook/contract/player/wallet';
import type { Config } from '@reelbook/ledger/config/config';
import { exchangeInForce } from '@reelbook/ledger/config/in-force';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { type Asset, toNumber } from '@reelbook/ledger/money';
import type { Exchanged } from '@reelbook/ledger/player/events';
import { rateNumber } from '@reelbook/ledger/rate';
import type { Transaction as TransactionRow } from '@reelbook/projections/entries/history';
import { paidExtra } from './payments.ts';
import { balancesAnswer } from './player.ts';

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
