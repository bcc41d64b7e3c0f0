import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { AT_PARAM } from './paths.ts';

const POSITION = /^[1-9]\d{0,14}$/;

/** The position in the URL, or null for now. */
function readAt(search: URLSearchParams): number | null {
  const text = search.get(AT_PARAM);
  return text !== null && POSITION.test(text) ? Number(text) : null;
}

/** The selected point in time and its setter; null is now. */
export function useAt(): readonly [number | null, (at: number | null) => void] {
  const [search, setSearch] = useSearchParams();
  const setAt = useCallback(
    (at: number | null) =>
      setSearch(
        (now) => {
          if (at === null) now.delete(AT_PARAM);
          else now.set(AT_PARAM, String(at));
          return now;
        },
        { preventScrollReset: true, replace: true },
      ),
    [setSearch],
  );
  return [readAt(search), setAt];
}

/** The selected point in time as a query parameter; empty for now. */
export function useAtQuery(): { readonly at?: number } {
  const [at] = useAt();
  return at === null ? {} : { at };
}

/** Returns a function that adds the selected point in time to a path. */
export function useHere(): (path: string) => string {
  const [at] = useAt();
  return useCallback(
    (path) => (at === null ? path : `${path}${path.includes('?') ? '&' : '?'}${AT_PARAM}=${at}`),
    [at],
  );
}
