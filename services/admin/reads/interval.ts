import { Unanswerable } from '@reelbook/projections/entries/filter';

const DAY_MS = 86_400_000;
const DAYS_BY_DEFAULT = 30;
const FIRST_DAY = '1970-01-01';
const DAYS_MAX = 400;

/** Days in UTC, YYYY-MM-DD, both inclusive. */
export interface Interval {
  readonly from: string;
  readonly to: string;
}

/**
 * Validates an interval. Default end: today; default start: 30 days. Throws `Unanswerable`.
 */
export function intervalOf(
  options: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): Interval {
  const to = options.to === undefined ? dayOf(nowMs) : checkDay('to', options.to);
  const from =
    options.from === undefined
      ? dayOf(Date.parse(to) - (DAYS_BY_DEFAULT - 1) * DAY_MS)
      : checkDay('from', options.from);
  if (from > to) throw new Unanswerable('from must not be after to');
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DAYS_MAX) {
    throw new Unanswerable(`an interval has at most ${DAYS_MAX} days`);
  }
  return { from, to };
}

/** End of the interval, exclusive, ISO 8601. */
export function endOf({ to }: Interval): string {
  return new Date(Date.parse(to) + DAY_MS).toISOString();
}

function checkDay(name: string, day: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  // Date.parse accepts February 30 as a day of March.
  if (Number.isNaN(ms) || dayOf(ms) !== day || day < FIRST_DAY) {
    throw new Unanswerable(`${name} must be a day, such as 2026-11-21`);
  }
  return day;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
