import { QueryClient } from '@tanstack/react-query';
import { isTransient } from './api-errors.ts';

const RETRIES_MAX = 2;

/** The query cache of an app; a response is fresh for `freshMs`. */
export const createQueryClient = (freshMs: number): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        refetchOnWindowFocus: false,
        // A refusal is final; only an unreachable or failing server is retried.
        retry: (count, error) => count < RETRIES_MAX && isTransient(error),
      },
    },
  });
