import type { AdminData } from '@reelbook/admin/answers';
import type { AdminQuery } from '@reelbook/contract/admin/routes';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';

export type ExplorerFilter = Omit<
  NonNullable<AdminQuery<'explorer'>>,
  'before' | 'after' | 'limit'
>;
export type Page = AdminData<'explorer'>;
export type Entry = Page['entries'][number];

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 2_000;
/** New rows per request. A full response means that the list is too far back: it jumps to the newest page. */
const REQUEST_ROWS = 200;
/** New rows above the loaded page; beyond it the list starts again from the newest page. */
const WINDOW_ROWS = 500;

interface Options {
  readonly filter: ExplorerFilter;
  /** `tail` of the loaded page; null: does not follow. */
  readonly from: number | null;
  /** Replaces the loaded pages by the newest page. */
  jump(signal: AbortSignal): Promise<Page>;
}

/** Events appended since the loaded page, newest first, at most WINDOW_ROWS. */
export function useTail({ filter, from, jump }: Options) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [page, setPage] = useState<Page | null>(null);
  const [isPaused, setPaused] = useState(false);
  const reached = useRef(from);
  const rows = useRef(0);
  const jumping = useRef(jump);
  jumping.current = jump;
  const isFollowing = from !== null && !isPaused;
  useEffect(() => {
    if (!isFollowing) return;
    reached.current ??= from;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    async function load(): Promise<void> {
      const query = { ...filter, after: Math.max(1, reached.current ?? 1), limit: REQUEST_ROWS };
      const found = await api.call('explorer', { query, signal: stop.signal });
      const isBehind =
        found.entries.length === REQUEST_ROWS || rows.current + found.entries.length > WINDOW_ROWS;
      const shown = isBehind ? await jumping.current(stop.signal) : found;
      reached.current = isBehind ? shown.tail : Math.max(shown.tail, reached.current ?? 0);
      // No new object while the ledger is idle, so that nothing renders again.
      setPage((known) => (known?.head === shown.head && known.tail === shown.tail ? known : shown));
      rows.current = isBehind ? 0 : rows.current + found.entries.length;
      if (isBehind) setEntries([]);
      else if (found.entries.length > 0) {
        setEntries((known) => [...found.entries.toReversed(), ...known]);
      }
    }
    const next = (waitMs: number) => {
      timer = setTimeout(async () => {
        const failed = await load().then(
          () => false,
          () => true,
        );
        if (!stop.signal.aborted) next(failed ? AFTER_FAILURE_MS : EVERY_MS);
      }, waitMs);
    };
    next(EVERY_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [filter, from, isFollowing]);
  return {
    entries,
    /** The last response; its `tail` is the last position that the list includes. */
    page,
    isPaused,
    pause: () => setPaused(true),
    resume: () => setPaused(false),
  };
}
