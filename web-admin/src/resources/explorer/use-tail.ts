import { useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import type { Entry, ExplorerFilter, Page } from './data.ts';

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 5_000;
/** New rows per request, and in total. Following stops at the total. */
const REQUEST_ROWS = 200;
const ROWS_MAX = 2_000;

/** Events appended since the list was loaded, newest first. `from` null: does not follow. */
export function useTail({ filter, from }: { filter: ExplorerFilter; from: number | null }) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [page, setPage] = useState<Page | null>(null);
  const [isPaused, setPaused] = useState(false);
  const reached = useRef(from);
  const isFollowing = from !== null && !isPaused && entries.length < ROWS_MAX;
  useEffect(() => {
    if (!isFollowing) return;
    reached.current ??= from;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    async function load(): Promise<void> {
      let waitMs = EVERY_MS;
      try {
        const query = { ...filter, after: Math.max(1, reached.current ?? 1), limit: REQUEST_ROWS };
        const found = await api.call('explorer', { query, signal: stop.signal });
        reached.current = Math.max(found.tail, reached.current ?? 0);
        // No new object while the ledger is idle, so that nothing renders again.
        setPage((known) =>
          known?.head === found.head && known.reached === found.reached ? known : found,
        );
        if (found.entries.length > 0) {
          setEntries((known) => [...found.entries.toReversed(), ...known]);
        }
        // A full response: there may be more.
        if (found.entries.length === REQUEST_ROWS) waitMs = 0;
      } catch {
        waitMs = AFTER_FAILURE_MS;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void load(), waitMs);
    }
    timer = setTimeout(() => void load(), EVERY_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [filter, from, isFollowing]);
  return {
    entries,
    page,
    isPaused: isPaused || entries.length >= ROWS_MAX,
    toggle() {
      // Too many rows: restart from the newest.
      if (entries.length >= ROWS_MAX) location.reload();
      else setPaused(!isPaused);
    },
  };
}
