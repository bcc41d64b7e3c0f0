import { expect, test } from 'vitest';
import { untilNewDayMs } from './day.ts';

const MINUTE_MS = 60_000;
const MIDNIGHT = Date.parse('2026-12-01T00:00:00.000Z');

test.each([
  ['noon', MIDNIGHT - 12 * 60 * MINUTE_MS, 0],
  ['four minutes and a millisecond before the new day', MIDNIGHT - 4 * MINUTE_MS - 1, 0],
  ['four minutes before it', MIDNIGHT - 4 * MINUTE_MS, 4 * MINUTE_MS],
  ['its last millisecond', MIDNIGHT - 1, 1],
  ['midnight', MIDNIGHT, 0],
])('a test file waits for the end of the day only just before it: %s', (_when, nowMs, waitMs) => {
  expect(untilNewDayMs(nowMs)).toBe(waitMs);
});
