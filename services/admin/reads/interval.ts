import { Unanswerable } from '@reelbook/projections/entries/filter';

const DAY_MS = 86_400_000;
const DAYS_BY_DEFAULT = 30;
/** No ledger is older. */
const FIRST_DAY = '1970-01-01';
const DAYS_MAX = 400;

/** Days in UTC, YYYY-MM-DD, both included. */
export interface Interval {
  readonly from: string;
  readonly to: string;
}

/**
 * The interval that was asked for; without an end it ends today, without a beginning it is 30 days long. Throws
 * `Unanswerable`.
 */
export function intervalOf(
  o: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): Interval {
  const to = o.to === undefined ? dayOf(nowMs) : checkDay('to', o.to);
  const from =
    o.from === undefined
      ? dayOf(Date.parse(to) - (DAYS_BY_DEFAULT - 1) * DAY_MS)
      : checkDay('from', o.from);
  if (from > to) throw new Unanswerable('from is after to');
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DAYS_MAX) {
    throw new Unanswerable(`an interval has at most ${DAYS_MAX} days`);
  }
  return { from, to };
}

/** ISO 8601: the moment at which the interval is over. */
export function endOf({ to }: Interval): string {
  return new Date(Date.parse(to) + DAY_MS).toISOString();
}

function checkDay(name: string, day: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  // February 30 is read as a day of March.
  if (Number.isNaN(ms) || dayOf(ms) !== day || day < FIRST_DAY) {
    throw new Unanswerable(`${name} is a day, such as 2026-11-21`);
  }
  return day;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
