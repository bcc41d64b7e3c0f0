import { useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import type { Entry, ExplorerFilter, Page } from './data.ts';

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 5_000;
/** New rows of one look, and in all: beyond that the oldest of them are a page away by the button below. */
const LOOK_ROWS = 200;
const KEPT_MAX = 2_000;

/** What came since a list was loaded, newest first. `from` null: nothing is followed. */
export function useTail(o: { filter: ExplorerFilter; from: number | null }) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [page, setPage] = useState<Page | null>(null);
  const [isPaused, setPaused] = useState(false);
  const reached = useRef(o.from);
  const { filter, from } = o;
  const isFollowing = from !== null && !isPaused && entries.length < KEPT_MAX;
  useEffect(() => {
    if (!isFollowing) return;
    reached.current ??= from;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    async function look(): Promise<void> {
      let waitMs = EVERY_MS;
      try {
        const query = { ...filter, after: Math.max(1, reached.current ?? 1), limit: LOOK_ROWS };
        const found = await api.call('explorer', { query, signal: stop.signal });
        reached.current = Math.max(found.tail, reached.current ?? 0);
        // A ledger that rests draws nothing anew.
        setPage((known) =>
          known?.head === found.head && known.reached === found.reached ? known : found,
        );
        if (found.entries.length > 0) {
          setEntries((known) => [...found.entries.toReversed(), ...known]);
        }
        // There may be more than one look takes.
        if (found.entries.length === LOOK_ROWS) waitMs = 0;
      } catch {
        waitMs = AFTER_FAILURE_MS;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void look(), waitMs);
    }
    timer = setTimeout(() => void look(), EVERY_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [filter, from, isFollowing]);
  return {
    entries,
    page,
    isPaused: isPaused || entries.length >= KEPT_MAX,
    toggle() {
      // Too many to go on: begin again at the newest.
      if (entries.length >= KEPT_MAX) location.reload();
      else setPaused(!isPaused);
    },
  };
}
