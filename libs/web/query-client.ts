import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './api-errors.ts';

const RETRIES_MAX = 2;

/** What an app reads through; an answer is fresh for `freshMs`. */
export const createQueryClient = (freshMs: number): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        refetchOnWindowFocus: false,
        // What the server refused stays refused; only an absent or failing one is asked again.
        retry: (count, error) => count < RETRIES_MAX && isPassing(error),
      },
    },
  });
