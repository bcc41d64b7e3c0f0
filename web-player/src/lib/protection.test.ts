import type { Protection } from '@reelbook/contract/player/protection';
import { expect, test } from 'vitest';
import { nextLookMs, withRound } from './protection.ts';

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

test('it is loaded again when the exclusion ends', () => {
  const known = at('2026-01-01T00:00:00Z', null);
  const exclusion = { until: '2026-01-01T00:00:30Z' };
  expect(nextLookMs({ ...known, exclusion })).toBe(31_000);
  expect(nextLookMs({ ...known, exclusion: { until: null } })).toBe(300_000);
});

test('a round of the page is added to the session, which begins with the first', () => {
  const known = { ...at('2026-01-01T00:00:00Z', null), session: null, stream_version: 4 };
  const round = { bet_amount: 10, win_amount: 15.1, stream_version: 6 };
  const first = withRound(known, { ...round, created_at: '2026-01-01T00:10:00Z' });
  const second = withRound(first, {
    ...{ bet_amount: 10, win_amount: 0, stream_version: 8 },
    created_at: '2026-01-01T00:11:30Z',
  });
  expect(second).toMatchObject({
    stream_version: 8,
    session: {
      began_at: '2026-01-01T00:10:00Z',
      elapsed_seconds: 90,
      staked: 20,
      won: 15.1,
      net: -4.9,
    },
  });
});
