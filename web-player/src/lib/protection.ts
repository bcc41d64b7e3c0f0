import { ApiError } from '@reelbook/contract/client';
import type { Protection } from '@reelbook/contract/player/protection';
import type { BetResult } from '@reelbook/contract/player/slot';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { PROTECTION, queryClient } from './queries.ts';

const LOOK_MIN_MS = 5_000;
const LOOK_MAX_MS = 300_000;
const AFTER_DUE_MS = 1_000;
const SESSION_BREAK_MS = 15 * 60_000;

/**
 * Limits, exclusion, reality check and session at the time of the request. The server may have to read much for it, so
 * it is not loaded after each round, but when the next reality check is due.
 */
export const protection = queryOptions({
  queryKey: [PROTECTION],
  queryFn: () => api.call('protection'),
  staleTime: LOOK_MIN_MS,
  // Another tab or device may have changed limits, which no message names.
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => nextLookMs(state.data),
});

/** Time until it may have changed without a request, by the server's clock. */
export function nextLookMs(known: Protection | undefined): number {
  if (!known) return LOOK_MAX_MS;
  const { reality_check, exclusion, session, limits } = known;
  const ends = [reality_check.next_at, exclusion?.until, session?.ends_at].concat(
    limits.flatMap(({ resets_at, pending }) => [resets_at, pending?.holds_from]),
  );
  const dueMs = ends.flatMap((at) =>
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

/** A bet and its result. */
const EVENTS_PER_ROUND = 2;

/** Adds a round of this page to session and limits; loads them if the ledger has other events before it. */
export function noteRound(round: NotedRound): void {
  const known = queryClient.getQueryData(protection.queryKey);
  if (known && round.stream_version <= known.stream_version) return;
  if (known?.stream_version === round.stream_version - EVENTS_PER_ROUND) {
    keepProtection(withRound(known, round));
  } else askProtection();
}

type NotedRound = Pick<BetResult, 'bet_amount' | 'win_amount' | 'created_at' | 'stream_version'>;

/** Amounts have two decimals. */
const sum = (a: number, b: number) => Math.round((a + b) * 100) / 100;

export function withRound(known: Protection, round: NotedRound): Protection {
  const { bet_amount: bet, win_amount: win, created_at: time } = round;
  const timeMs = Date.parse(time);
  const going = known.session && timeMs < Date.parse(known.session.ends_at) ? known.session : null;
  const before = going ?? { began_at: time, staked: 0, won: 0 };
  const [staked, won] = [sum(before.staked, bet), sum(before.won, win)];
  const elapsed = Math.floor((timeMs - Date.parse(before.began_at)) / 1_000);
  return {
    ...known,
    time,
    stream_version: round.stream_version,
    limits: known.limits.map((limit) => {
      if (limit.limit === 'deposit') return limit;
      const used = sum(limit.used, limit.limit === 'loss' ? bet - win : bet);
      return { ...limit, used, left: Math.max(0, sum(limit.amount, -used)) };
    }),
    session: {
      began_at: before.began_at,
      ends_at: new Date(timeMs + SESSION_BREAK_MS).toISOString(),
      elapsed_seconds: Math.max(0, elapsed),
      staked,
      won,
      net: sum(won, -staked),
    },
  };
}
