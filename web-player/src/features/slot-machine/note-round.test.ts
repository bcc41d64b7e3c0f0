import type { Protection } from '@reelbook/contract/player/protection';
import { expect, test } from 'vitest';
import { withRound } from './use-spin.ts';

const at = (time: string) => ({ time, limits: [], session: null }) as unknown as Protection;

test('a round after the end of a session begins another one', () => {
  const session = {
    began_at: '2026-01-01T00:00:00Z',
    ends_at: '2026-01-01T00:15:00Z',
    elapsed_seconds: 0,
    staked: 50,
    won: 0,
    net: -50,
  };
  const known = { ...at('2026-01-01T00:00:00Z'), session };
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
  const known = { ...at('2026-01-01T00:00:00Z'), limits };
  const round = { bet_amount: 5, win_amount: 17.1, stream_version: 2 };
  const now = withRound(known, { ...round, created_at: '2026-01-01T00:10:00Z' });
  expect(now.limits.map(({ used, left }) => [used, left])).toEqual([
    [-2.1, 52.1],
    [15, 0],
    [1, 4],
  ]);
});

test('a round of the page is added to the session, which begins with the first', () => {
  const known = { ...at('2026-01-01T00:00:00Z'), session: null, stream_version: 4 };
  const round = { bet_amount: 10, win_amount: 15.1, stream_version: 6 };
  const first = withRound(known, { ...round, created_at: '2026-01-01T00:10:00Z' });
  const second = withRound(first, {
    bet_amount: 10,
    win_amount: 0,
    stream_version: 8,
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
