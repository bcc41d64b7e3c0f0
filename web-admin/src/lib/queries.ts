import type { AdminData, AdminRouteName, AdminRoutes } from '@reelbook/contract/admin/routes';
import type { Input } from '@reelbook/contract/client';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import { api, isPassing } from './api.ts';

const RETRIES_MAX = 2;
const FRESH_MS = 5_000;

/** How often what moves by itself is asked again. */
export const LIVE_EVERY_MS = 2_000;
export const CALM_EVERY_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      // What the server refused stays refused; only an absent or failing one is asked again.
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
    },
  },
});

/** A read by its name in the contract. An act asks every one of them again: anything may have changed. */
export function read<Name extends AdminRouteName>(name: Name, input?: Input<AdminRoutes[Name]>) {
  return queryOptions<AdminData<Name>>({
    queryKey: [name, input ?? null],
    queryFn: ({ signal }) =>
      api.call(name, { ...input, signal } as Input<AdminRoutes[Name]> as never),
  });
}

export function refreshAll(): void {
  void queryClient.invalidateQueries();
}

/** The last position of the book, and how far one can travel. */
export const moment = (at?: number) => read('moment', { query: at === undefined ? {} : { at } });
