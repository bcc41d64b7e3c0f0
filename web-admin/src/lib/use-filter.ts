import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readFilter, type Token, writeFilter } from './filter.ts';
import { AT_PARAM, FILTER_PARAM, paths } from './paths.ts';

/** The tokens in the URL and their setter, which opens the explorer from any page. */
export function useFilter(): readonly [readonly Token[], (tokens: readonly Token[]) => void] {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const text = pathname === paths.explorer ? (search.get(FILTER_PARAM) ?? '') : '';
  const at = search.get(AT_PARAM);
  const tokens = useMemo(() => readFilter(text), [text]);
  const set = useCallback(
    (next: readonly Token[]) => {
      const query = new URLSearchParams();
      if (next.length > 0) query.set(FILTER_PARAM, writeFilter(next));
      if (at !== null) query.set(AT_PARAM, at);
      void navigate(`${paths.explorer}?${query}`);
    },
    [navigate, at],
  );
  return [tokens, set];
}
