import type { AdminData } from '@reelbook/admin/answers';
import type { AdminRouteName, AdminRoutes } from '@reelbook/contract/admin/routes';
import { type Input, seenPosition } from '@reelbook/contract/client';
import { createQueryClient } from '@reelbook/web/query-client';
import { createStore } from '@reelbook/web/store';
import { isTransient } from '@reelbook/web/use-command';
import { type Query, queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { api } from './api.ts';

const FRESH_MS = 5_000;

/** Polling intervals. */
export const LIVE_EVERY_MS = 2_000;
export const CALM_EVERY_MS = 10_000;
const HEAD_TIMEOUT_MS = 4_000;
const FOLLOW_EVERY_MS = 200;
const FOLLOW_MAX_MS = 5_000;

export const queryClient = createQueryClient(FRESH_MS);

/** The shown figures include all events up to this position; null before the first response. */
export const shownAt = createStore<number | null>(null);

/** Query options of a read in the contract. An action refetches all reads, see `refreshAfter`. */
export function read<Name extends AdminRouteName>(name: Name, input?: Input<AdminRoutes[Name]>) {
  return queryOptions<AdminData<Name>>({
    queryKey: [name, input ?? null],
    queryFn: ({ signal }) =>
      api.call(name, { ...input, signal } as Input<AdminRoutes[Name]> as never),
  });
}

/** Options of reads that are repeated while they are shown. */
export const CALM = { refetchInterval: CALM_EVERY_MS };
export const LIVE = { refetchInterval: LIVE_EVERY_MS };
/** Of `jobs`. */
export const LAST_AUDIT = { query: { kind: 'audit', limit: 1 } } as const;

/** A read of the contract, for a component. */
export const useRead = <Name extends AdminRouteName>(
  name: Name,
  input?: Input<AdminRoutes[Name]> | null,
  options?: Omit<UseQueryOptions<AdminData<Name>>, 'queryKey' | 'queryFn'>,
) => useQuery<AdminData<Name>>({ ...read(name, input ?? undefined), ...options });

/** Reads that a new event does not refetch: the head, and the list that follows it. */
const NOT_LIVE: ReadonlySet<unknown> = new Set<AdminRouteName>([
  'pointInTime',
  'explorer',
  'countMatches',
]);

/** Refetches all shown reads. Resolves when they are up to date, or failed. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries();

const sleep = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms));

/** Refetches and renders all shown reads after an action, once the read models that are not late have its event. */
export async function refreshAfter(): Promise<void> {
  const [position, untilMs] = [seenPosition(), Date.now() + FOLLOW_MAX_MS];
  const isBehind = async () =>
    (await api.call('pointInTime', { query: {} })).read < position && Date.now() < untilMs;
  const refreshed = async () => {
    while (await isBehind().catch(() => false)) await sleep(FOLLOW_EVERY_MS);
    await refreshAll();
    await sleep(0);
  };
  await Promise.race([refreshed(), sleep(FOLLOW_MAX_MS)]);
}

/** Refetches the shown reads that new events may have changed. A running read is not cancelled, so that a slow one ends. */
export const refreshLive = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: isLive }, { cancelRefetch: false });

/** Whether each shown read was read, or finally refused, at or after `sinceMs`. */
export function useLiveReadSince(sinceMs: number): boolean {
  const cache = queryClient.getQueryCache();
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () =>
      cache
        .findAll({ type: 'active', predicate: isLive })
        .every(
          ({ state: { dataUpdatedAt, errorUpdatedAt, error } }) =>
            dataUpdatedAt >= sinceMs ||
            (errorUpdatedAt >= sinceMs && error !== null && !isTransient(error)),
        ),
  );
}

const isLive = ({ queryKey: [name] }: Pick<Query, 'queryKey'>) => !NOT_LIVE.has(name);

/**
 * The head of the ledger, and the point in time `at`. It fails soon, so that contact is noticed when a server that hung
 * responds again.
 */
export function pointInTime(at?: number) {
  const query = at === undefined ? {} : { at };
  return queryOptions({
    ...read('pointInTime', { query }),
    queryFn: ({ signal }) =>
      api.call('pointInTime', {
        query,
        signal: AbortSignal.any([signal, AbortSignal.timeout(HEAD_TIMEOUT_MS)]),
      }),
  });
}
