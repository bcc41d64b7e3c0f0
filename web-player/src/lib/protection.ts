import type { Protection } from '@reelbook/contract/player/protection';
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
  const nextAt = known?.reality_check.next_at;
  if (!known || !nextAt) return LOOK_MAX_MS;
  const untilMs = Date.parse(nextAt) - Date.parse(known.time) + AFTER_DUE_MS;
  return Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, untilMs));
}

export function keepProtection(response: Protection): void {
  queryClient.setQueryData(protection.queryKey, response);
}

export function askProtection(): void {
  void queryClient.invalidateQueries({ queryKey: [PROTECTION] });
}
