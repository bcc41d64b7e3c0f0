import { assert } from '../assert.ts';
import { timeText } from '../calendar.ts';
import type { DepositConfig } from '../config/config.ts';
import { HOLDING_MAX_MINOR } from '../money.ts';
import type { DustReceived, DustTransfer } from './events.ts';
import type { TreasuryState } from './state.ts';

/** Transfers of one event, which has about 80 kB then. */
export const DUST_TRANSFERS_MAX = 500;

/** Transfers that the caller has seen final on the chain, that no event has, and that no player can be credited for. */
export interface RecordDust {
  readonly type: 'RecordDust';
  readonly tokenAccount: string;
  readonly transfers: readonly DustTransfer[];
  readonly nowMs: number;
}

/** A smaller transfer is not worth an operator's time, or a notification of its player. */
export function isDust(
  amountMinor: bigint,
  { dustBelowTokenMinor = 0n }: Pick<DepositConfig, 'dustBelowTokenMinor'>,
): boolean {
  return amountMinor < dustBelowTokenMinor;
}

const dayOf = (timeMs: number) => timeText(timeMs).slice(0, 'YYYY-MM-DD'.length);

/** Once a day (UTC, of the recording), and whenever an event is full. */
export function isDustDue(
  { dustDay }: Pick<TreasuryState, 'dustDay'>,
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): boolean {
  return count >= DUST_TRANSFERS_MAX || (count > 0 && dustDay !== dayOf(nowMs));
}

export function recordDust(
  state: TreasuryState,
  { tokenAccount, transfers, nowMs }: RecordDust,
): readonly DustReceived[] {
  if (!isDustDue(state, { count: transfers.length, nowMs })) return [];
  const amountMinor = transfers.reduce((sum, one) => sum + one.amountMinor, 0n);
  const distinct = new Set(transfers.map(({ signature }) => signature));
  assert(distinct.size === transfers.length, 'a transfer is recorded once');
  assert(transfers.length <= DUST_TRANSFERS_MAX, 'an event lists few transfers');
  assert(
    transfers.every((one) => one.amountMinor > 0n) && amountMinor <= HOLDING_MAX_MINOR,
    'a transfer is an amount',
  );
  return [
    { type: 'DustReceived', data: { day: dayOf(nowMs), tokenAccount, amountMinor, transfers } },
  ];
}
