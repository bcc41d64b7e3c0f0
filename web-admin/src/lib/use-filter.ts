import { useCallback, useMemo, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readFilter, type Token, writeFilter } from './filter.ts';
import { FILTER_PARAM, paths } from './paths.ts';
import { useHere } from './point-in-time.ts';

/** The tokens in the URL and their setter, which opens the explorer from any page. */
export function useFilter(): readonly [readonly Token[], (tokens: readonly Token[]) => void] {
  const [search] = useSearchParams();
  const { pathname, key } = useLocation();
  const navigate = useNavigate();
  // Set here and not in the URL yet: the explorer may still be loading while the next token is typed.
  const [next, setNext] = useState<{ readonly text: string; readonly key: string } | null>(null);
  const shown = pathname === paths.explorer ? (search.get(FILTER_PARAM) ?? '') : '';
  const text = next?.key === key ? next.text : shown;
  const here = useHere();
  const tokens = useMemo(() => readFilter(text), [text]);
  const set = useCallback(
    (tokens: readonly Token[]) => {
      const text = writeFilter(tokens);
      const query = new URLSearchParams(text ? { [FILTER_PARAM]: text } : {});
      setNext({ text, key });
      void navigate(here(`${paths.explorer}?${query}`));
    },
    [navigate, here, key],
  );
  return [tokens, set];
}
