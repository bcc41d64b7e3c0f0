/** The UTC calendar in plain arithmetic: no clock and no time zone is read. Times are ms since 1970. */

export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;
const DAYS_A_WEEK = 7;
/** The Gregorian calendar repeats after 400 years of so many days; counted from March, leap days end the year. */
const ERA_DAYS = 146_097;
const DAYS_FROM_MARCH_0000_TO_EPOCH = 719_468;

/** First millisecond of the day, the week (Monday) or the month that `timeMs` falls in. */
export function startOf(period: Period, timeMs: number): number {
  const day = Math.floor(timeMs / DAY_MS);
  switch (period) {
    case 'day':
      return day * DAY_MS;
    case 'week':
      return (day - modulo(day + DAYS_FROM_MONDAY_TO_EPOCH, DAYS_A_WEEK)) * DAY_MS;
    case 'month':
      return (day - (dateOf(day).dayOfMonth - 1)) * DAY_MS;
  }
}

/** First millisecond of the day, week or month after the one that `timeMs` falls in. */
export function endOf(period: Period, timeMs: number): number {
  const start = startOf(period, timeMs);
  if (period === 'day') return start + DAY_MS;
  if (period === 'week') return start + DAYS_A_WEEK * DAY_MS;
  return startOf('month', start + 31 * DAY_MS); // no month is longer, and none so short that two fit
}

/** `2028-02-29 23:59 UTC`: the minute that a time falls in. */
export function timeText(timeMs: number): string {
  const { year, month, dayOfMonth } = dateOf(Math.floor(timeMs / DAY_MS));
  const minutes = Math.floor(modulo(timeMs, DAY_MS) / MINUTE_MS);
  const date = [year, month, dayOfMonth].map(twoDigits).join('-');
  return `${date} ${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)} UTC`;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** The civil-date algorithm of H. Hinnant, on days since 1970. */
function dateOf(day: number): { year: number; month: number; dayOfMonth: number } {
  const since = day + DAYS_FROM_MARCH_0000_TO_EPOCH;
  const era = Math.floor(since / ERA_DAYS);
  const dayOfEra = since - era * ERA_DAYS;
  const leaps =
    Math.floor(dayOfEra / 1_460) -
    Math.floor(dayOfEra / 36_524) +
    Math.floor(dayOfEra / (ERA_DAYS - 1));
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - (365 * yearOfEra + leapDays);
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

const modulo = (n: number, by: number) => ((n % by) + by) % by;
