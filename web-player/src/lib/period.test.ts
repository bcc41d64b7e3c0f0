import { expect, test } from 'vitest';
import { type Period, type PeriodName, rangeOf } from './period.ts';

const now = new Date('2026-03-01T02:30:00Z');
const utc = (name: PeriodName, from = '', to = ''): Period => ({ name, zone: 'utc', from, to });

test('a preset begins at midnight of its zone', () => {
  expect(rangeOf(utc('all'), now)).toEqual({});
  expect(rangeOf(utc('today'), now)).toEqual({ from: '2026-03-01T00:00:00.000Z' });
  expect(rangeOf(utc('week'), now)).toEqual({ from: '2026-02-23T00:00:00.000Z' });
  expect(rangeOf(utc('month'), now)).toEqual({ from: '2026-03-01T00:00:00.000Z' });
  expect(rangeOf(utc('year'), now)).toEqual({ from: '2026-01-01T00:00:00.000Z' });
  expect(rangeOf(utc('lastMonth'), now)).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  const local = rangeOf({ ...utc('today'), zone: 'local' }, now);
  expect(new Date(local?.from ?? '').getHours()).toBe(0);
});

test('a custom period includes its last day', () => {
  expect(rangeOf(utc('custom', '2026-02-27', '2026-02-28'), now)).toEqual({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  expect(rangeOf(utc('custom', '', '2026-12-31'), now)).toEqual({ to: '2027-01-01T00:00:00.000Z' });
  expect(rangeOf(utc('custom'), now)).toEqual({});
});

test('a date that does not exist, or an end before the start, is no period', () => {
  for (const [from, to] of [
    ['2026-02-29', ''],
    ['', 'tomorrow'],
    ['0001-01-01', ''],
    ['2026-02-02', '2026-02-01'],
  ]) {
    expect(rangeOf(utc('custom', from, to), now), `${from} ${to}`).toBeNull();
  }
});
