import { ApiError } from '@reelbook/contract/client';
import type { Protection } from '@reelbook/contract/player/protection';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { CONFIG, PROTECTION, queryClient } from './queries.ts';

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

/** Refusals by settings of the operators. */
const BY_SETTINGS = /^terms-changed$|-(minimum|maximum|switched-off)$/;

/** Loads again what the refusal is about: the protection, or settings that the page has missed. */
export function askIfProtected(error: unknown): void {
  const code = error instanceof ApiError && error.data?.error;
  if (SHOWN_IN_PLACE.has(code)) askProtection();
  if (BY_SETTINGS.test(String(code))) void queryClient.invalidateQueries({ queryKey: [CONFIG] });
}
