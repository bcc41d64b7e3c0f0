import { expect, test } from 'vitest';
import { gapsOf, type Point, summaryOf } from './gaps.ts';

const point = (rate: number | null, lag: number | null, publisher = lag): Point => ({
  at: '2026-11-24T10:00:00.000Z',
  events_per_s: rate,
  projection_behind_s: lag,
  projection: lag ? 'entries' : null,
  publisher_behind_s: publisher,
});
const none = point(null, null);

test('points without samples are gaps, wherever they are', () => {
  expect(gapsOf([none, none, point(null, 0), point(1, 0), none, point(2, 0), none])).toEqual([
    { from: 0, to: 1 },
    { from: 4, to: 4 },
    { from: 6, to: 6 },
  ]);
  expect(gapsOf([])).toEqual([]);
});

test('the summary ignores gaps and names the slowest', () => {
  expect(summaryOf([none])).toEqual({ average: null, worst: null });
  expect(summaryOf([none, point(4, 0), point(2, 3, 1), none])).toEqual({
    average: 3,
    worst: { seconds: 3, projection: 'entries' },
  });
  expect(summaryOf([point(0, 1, 5)]).worst).toEqual({ seconds: 5, projection: null });
});
