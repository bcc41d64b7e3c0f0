import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, endOf, PERIODS, type Period, startOf, timeText } from './calendar.ts';

const at = (text: string) => Date.parse(text);

describe('a period', () => {
  const cases: [Period, string, string, string][] = [
    ['day', '2026-11-21T00:00:00.000Z', '2026-11-21', '2026-11-22'],
    ['day', '2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-22'],
    ['week', '2026-11-22T23:59:59.999Z', '2026-11-16', '2026-11-23'], // Sunday ends it
    ['week', '2026-11-23T00:00:00.000Z', '2026-11-23', '2026-11-30'],
    ['week', '2027-01-01T12:00:00.000Z', '2026-12-28', '2027-01-04'], // over the end of a year
    ['month', '2026-11-30T23:59:59.999Z', '2026-11-01', '2026-12-01'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
    ['month', '2028-02-29T23:59:59.999Z', '2028-02-01', '2028-03-01'], // a leap day
    ['month', '2027-02-28T23:59:59.999Z', '2027-02-01', '2027-03-01'],
    ['month', '2100-02-28T23:59:59.999Z', '2100-02-01', '2100-03-01'], // a century without one
    ['month', '2000-02-29T00:00:00.000Z', '2000-02-01', '2000-03-01'],
    ['day', '1969-12-31T23:59:59.999Z', '1969-12-31', '1970-01-01'],
  ];
  it.each(cases)('%s of %s is %s to %s', (period, time, start, end) => {
    expect(startOf(period, at(time))).toBe(at(start));
    expect(endOf(period, at(time))).toBe(at(end));
  });

  it('matches the calendar of the machine, for any time of eight centuries', () => {
    const time = fc.integer({ min: at('1700-01-01'), max: at('2500-01-01') });
    fc.assert(
      fc.property(time, (timeMs) => {
        const date = new Date(timeMs);
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
        expect(startOf('month', timeMs)).toBe(Date.UTC(year, month, 1));
        expect(endOf('month', timeMs)).toBe(Date.UTC(year, month + 1, 1));
        expect(startOf('week', timeMs)).toBe(
          Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)),
        );
        expect(startOf('day', timeMs)).toBe(Date.UTC(year, month, day));
        const text = date.toISOString();
        expect(timeText(timeMs)).toBe(`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`);
      }),
    );
  });

  it.each(PERIODS)('%s: one ends where the next begins', (period) => {
    const end = endOf(period, at('2028-02-28T12:00:00Z'));
    expect(startOf(period, end)).toBe(end);
    expect(startOf(period, end - 1)).toBeLessThan(end);
    expect(endOf(period, end - 1)).toBe(end);
    expect((end - startOf(period, end - 1)) % DAY_MS).toBe(0);
  });
});
