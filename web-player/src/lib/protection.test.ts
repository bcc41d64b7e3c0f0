import type { Protection } from '@reelbook/contract/player/protection';
import { expect, test } from 'vitest';
import { nextLookMs, withRound } from './protection.ts';

const at = (time: string, next_at: string | null) =>
  ({
    time,
    reality_check: { next_at },
    exclusion: null,
    session: null,
    limits: [],
  }) as unknown as Protection;

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

test('it is loaded again when a session, the window of a limit or its pending change ends', () => {
  const known = at('2026-01-01T00:00:00Z', null);
  const session = { ends_at: '2026-01-01T00:00:10Z' } as Protection['session'];
  expect(nextLookMs({ ...known, session })).toBe(11_000);
  const window = { resets_at: '2026-01-01T00:00:20Z', pending: null };
  const pending = { amount: 5, holds_from: '2026-01-01T00:00:15Z' };
  const limits = [window, { ...window, pending }] as unknown as Protection['limits'];
  expect(nextLookMs({ ...known, limits })).toBe(16_000);
  expect(nextLookMs({ ...known, limits: limits.slice(0, 1) })).toBe(21_000);
});

test('a round after the end of a session begins another one', () => {
  const session = {
    ...{ began_at: '2026-01-01T00:00:00Z', ends_at: '2026-01-01T00:15:00Z' },
    ...{ elapsed_seconds: 0, staked: 50, won: 0, net: -50 },
  };
  const known = { ...at('2026-01-01T00:00:00Z', null), session };
  const round = { bet_amount: 10, win_amount: 0, stream_version: 2 };
  const staked = (created_at: string) => withRound(known, { ...round, created_at }).session?.staked;
  expect(staked('2026-01-01T00:14:59Z')).toBe(60);
  expect(staked('2026-01-01T00:15:00Z')).toBe(10);
});

test('a round of the page is counted by the limits', () => {
  const limit = { period: 'day', pending: null, resets_at: '2026-01-02T00:00:00Z' };
  const limits = [
    { ...limit, limit: 'loss', amount: 50, used: 10, left: 40 },
    { ...limit, limit: 'wager', amount: 12, used: 10, left: 2 },
    { ...limit, limit: 'deposit', amount: 5, used: 1, left: 4 },
  ] as Protection['limits'];
  const known = { ...at('2026-01-01T00:00:00Z', null), limits };
  const round = { bet_amount: 5, win_amount: 17.1, stream_version: 2 };
  const now = withRound(known, { ...round, created_at: '2026-01-01T00:10:00Z' });
  expect(now.limits.map(({ used, left }) => [used, left])).toEqual([
    [-2.1, 52.1],
    [15, 0],
    [1, 4],
  ]);
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
      ends_at: '2026-01-01T00:26:30.000Z',
      elapsed_seconds: 90,
      staked: 20,
      won: 15.1,
      net: -4.9,
    },
  });
});
