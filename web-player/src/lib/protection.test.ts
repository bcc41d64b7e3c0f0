import { ApiError } from '@reelbook/contract/client';
import { refusals } from '@reelbook/contract/english';
import type { Protection } from '@reelbook/contract/player/protection';
import { expect, test, vi } from 'vitest';
import { askIfProtected, nextLookMs } from './protection.ts';
import { CONFIG, queryClient } from './queries.ts';

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

test('a refusal by settings loads them again', () => {
  const asked = vi.spyOn(queryClient, 'invalidateQueries');
  const isLoading = (error: string) => {
    asked.mockClear();
    askIfProtected(new ApiError(400, 'no', { error }));
    return asked.mock.calls.some(([filters]) => filters?.queryKey?.[0] === CONFIG);
  };
  expect(Object.keys(refusals).filter(isLoading)).toEqual([
    'bet-below-minimum',
    'bet-above-maximum',
    'game-switched-off',
    'exchange-switched-off',
    'terms-changed',
    'deposit-below-minimum',
    'deposit-above-maximum',
    'withdrawal-below-minimum',
    'withdrawal-below-account-minimum',
  ]);
  asked.mockRestore();
});
