import type { Protection } from '@reelbook/contract/player/protection';
import { expect, test } from 'vitest';
import { nextLookMs } from './protection.ts';

const at = (time: string, next_at: string | null) =>
  ({ time, reality_check: { next_at } }) as Protection;

test('it is loaded again when the next check is due, by the clock of the server', () => {
  expect(nextLookMs(at('2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'))).toBe(61_000);
});

test('at most every five seconds, and at least every five minutes', () => {
  expect(nextLookMs(undefined)).toBe(300_000);
  expect(nextLookMs(at('2026-01-01T00:00:00Z', null))).toBe(300_000);
  expect(nextLookMs(at('2026-01-01T00:00:00Z', '2026-01-01T09:00:00Z'))).toBe(300_000);
  expect(nextLookMs(at('2026-01-01T01:00:00Z', '2026-01-01T00:00:00Z'))).toBe(5_000);
});
