import type { AdminData, AdminRouteName, AdminRoutes } from '@reelbook/contract/admin/routes';
import type { Input } from '@reelbook/contract/client';
import { createQueryClient } from '@reelbook/web/query-client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

const FRESH_MS = 5_000;

/** Polling intervals. */
export const LIVE_EVERY_MS = 2_000;
export const CALM_EVERY_MS = 10_000;

export const queryClient = createQueryClient(FRESH_MS);

/** Query options of a read in the contract. An action refetches all reads, see `refreshAll`. */
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

/** The head of the ledger, and the point in time `at`. */
export const pointInTime = (at?: number) =>
  read('pointInTime', { query: at === undefined ? {} : { at } });
