/** Periods of a list or a statement. Dates are calendar days of the zone, both included. */

export const PERIODS = ['all', 'today', 'week', 'month', 'lastMonth', 'year', 'custom'] as const;
export type PeriodName = (typeof PERIODS)[number];
export type Zone = 'local' | 'utc';

export interface Period {
  name: PeriodName;
  zone: Zone;
  /** `2026-11-25`, of a custom period; empty: open. */
  from: string;
  to: string;
}

/** ISO 8601; `from` is included, `to` is not. */
export interface Range {
  from?: string;
  to?: string;
}

const DAYS_A_WEEK = 7;

export function isPeriodName(text: string | null): text is PeriodName {
  return PERIODS.some((one) => one === text);
}

/** The range of a period; null if a custom one is no period: a date that does not exist, or an end before its start. */
export function rangeOf({ name, zone, from, to }: Period, now: Date): Range | null {
  const [year, month, day] = partsOf(now, zone);
  const at = (y: number, m: number, d: number) => instant(zone, y, m, d);
  switch (name) {
    case 'all':
      return {};
    case 'today':
      return { from: at(year, month, day) };
    case 'week':
      return { from: at(year, month, day - DAYS_A_WEEK + 1) };
    case 'month':
      return { from: at(year, month, 1) };
    case 'lastMonth':
      return { from: at(year, month - 1, 1), to: at(year, month, 1) };
    case 'year':
      return { from: at(year, 0, 1) };
    case 'custom': {
      const [first, last] = [dayOf(from), dayOf(to)];
      if ((from !== '' && !first) || (to !== '' && !last)) return null;
      if (from !== '' && to !== '' && from > to) return null;
      return {
        ...(first && { from: at(first[0], first[1], first[2]) }),
        ...(last && { to: at(last[0], last[1], last[2] + 1) }),
      };
    }
  }
}

type Day = readonly [year: number, month: number, day: number];

const partsOf = (at: Date, zone: Zone): Day =>
  zone === 'utc'
    ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
    : [at.getFullYear(), at.getMonth(), at.getDate()];

const instant = (zone: Zone, year: number, month: number, day: number): string =>
  (zone === 'utc'
    ? new Date(Date.UTC(year, month, day))
    : new Date(year, month, day)
  ).toISOString();

const FIRST_YEAR = 2000;

/** A date that exists, of a year with four digits; else null. */
function dayOf(text: string): Day | null {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return year >= FIRST_YEAR && exists ? [year, month - 1, day] : null;
}
