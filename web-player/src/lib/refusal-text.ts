import { ApiError } from '@reelbook/contract/client';
import type { ErrorData } from '@reelbook/contract/common';
import { amountText, clockTime, points } from '@reelbook/web/format';
import i18next, { type TFunction } from 'i18next';

/** Figures of refusals that are points; those that end in `token` are BSM, those in `_at` times. */
const POINTS: ReadonlySet<string> = new Set([
  'points',
  'stake',
  'min_stake',
  'max_stake',
  'staked',
  'won',
  'limit',
  'left',
]);
const PLAIN = new Intl.NumberFormat('en-US');

/**
 * Why a call failed, by the code of the refusal, in the language of `t`. An unreachable server has a text of its own; a code
 * that this build does not know has the server's English text, and an error that is none of the API's is empty.
 */
export function refusalText(error: unknown, t: TFunction = i18next.t): string {
  if (!(error instanceof ApiError)) return '';
  if (error.code === 0) return t('common.unreachable');
  const { data, message } = error;
  // One of the keys for all: their figures differ.
  const key = `refusals.${String(data?.error)}` as 'refusals.internal';
  if (!data || !i18next.exists(key)) return message;
  return t(key, { ...figuresOf(data, t) });
}

function figuresOf(data: ErrorData, t: TFunction) {
  const until = data.until_at;
  const ends =
    typeof until === 'string'
      ? t('closed.until', { until: clockTime(until) })
      : t('closed.forGood');
  const shown = Object.entries(data).map(([name, value]) => [name, figureText(name, value, t)]);
  return { until: ends, ...Object.fromEntries(shown) };
}

function figureText(name: string, value: unknown, t: TFunction): string {
  if (name === 'period') return t(`limits.period.${value as 'day'}`);
  if (name === 'fault') return t(`depositFaults.${value as 'failed'}`);
  if (typeof value === 'string') return name.endsWith('_at') ? clockTime(value) : value;
  if (typeof value !== 'number') return '';
  if (name.endsWith('token')) return `${amountText('token', value)} BSM`;
  if (POINTS.has(name)) return t('games.points', { count: value, amount: points(value) });
  if (name === 'msLeft') return `${Math.ceil(value / 100) / 10} s`;
  return PLAIN.format(value);
}
