import { ApiError } from '@reelbook/contract/client';
import type { Protection } from '@reelbook/contract/player/protection';
import type { BetResult } from '@reelbook/contract/player/slot';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { PROTECTION, queryClient } from './queries.ts';

const LOOK_MIN_MS = 5_000;
const LOOK_MAX_MS = 300_000;
const AFTER_DUE_MS = 1_000;

/**
 * Limits, exclusion, reality check and session at the time of the request. The server may have to read much for it, so
 * it is not loaded after each round, but when the next reality check is due.
 */
export const protection = queryOptions({
  queryKey: [PROTECTION],
  queryFn: () => api.call('protection'),
  staleTime: LOOK_MIN_MS,
  refetchInterval: ({ state }) => nextLookMs(state.data),
});

/** Time until it may have changed without a request, by the server's clock. */
export function nextLookMs(known: Protection | undefined): number {
  if (!known) return LOOK_MAX_MS;
  const dueMs = [known.reality_check.next_at, known.exclusion?.until].flatMap((at) =>
    at ? [Date.parse(at) - Date.parse(known.time) + AFTER_DUE_MS] : [],
  );
  return Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, Math.min(...dueMs)));
}

export function keepProtection(response: Protection): void {
  queryClient.setQueryData(protection.queryKey, response);
}

export function askProtection(): void {
  void queryClient.invalidateQueries({ queryKey: [PROTECTION] });
}

/** Refusals after which the page shows the protection in place of its controls. */
const SHOWN_IN_PLACE: ReadonlySet<unknown> = new Set([
  'reality-check-due',
  'self-excluded',
  'player-suspended',
]);

/** Loads the protection again if it is the reason of the refusal. */
export function askIfProtected(error: unknown): void {
  if (error instanceof ApiError && SHOWN_IN_PLACE.has(error.data?.error)) askProtection();
}

/** Adds a round of this page to the session, unless the ledger's answer already contains it. */
export function noteRound(
  round: Pick<BetResult, 'bet_amount' | 'win_amount' | 'created_at' | 'stream_version'>,
): void {
  queryClient.setQueryData(protection.queryKey, (known) => {
    if (!known || round.stream_version <= known.stream_version) return known;
    return withRound(known, round);
  });
}

/** Amounts have two decimals. */
const sum = (a: number, b: number) => Math.round((a + b) * 100) / 100;

export function withRound(known: Protection, round: Parameters<typeof noteRound>[0]): Protection {
  const { bet_amount: bet, win_amount: win, created_at: time } = round;
  const before = known.session ?? { began_at: time, staked: 0, won: 0 };
  const [staked, won] = [sum(before.staked, bet), sum(before.won, win)];
  const elapsed = Math.floor((Date.parse(time) - Date.parse(before.began_at)) / 1_000);
  return {
    ...known,
    time,
    stream_version: round.stream_version,
    session: {
      began_at: before.began_at,
      elapsed_seconds: Math.max(0, elapsed),
      staked,
      won,
      net: sum(won, -staked),
    },
  };
}
