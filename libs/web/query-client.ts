import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient } from './use-command.ts';

const RETRIES_MAX = 2;
const FAILED_AGAIN_MS = 5_000;

/** `refetchInterval` of what failed to load, while it is shown. */
export const afterFailure = ({ state: { status, error } }: Pick<Query, 'state'>) =>
  status === 'error' && isTransient(error) && FAILED_AGAIN_MS;

/** The query cache of an app; a response is fresh for `freshMs`. */
export const createQueryClient = (freshMs: number): QueryClient =>
  new QueryClient({
    // The page shows that it failed; the reason is in the browser's console.
    queryCache: new QueryCache({
      onError: (error, { queryKey }) =>
        console.warn(`could not load ${JSON.stringify(queryKey)}: ${error.message}`),
    }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        refetchOnWindowFocus: false,
        // A refusal is final; only an unreachable or failing server is retried.
        retry: (count, error) => count < RETRIES_MAX && isTransient(error),
        refetchInterval: afterFailure,
      },
    },
  });
