import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Loaded, Panel } from '../../components/panel.tsx';
import { type Columns, DataTable } from '../../components/table.tsx';
import { counted, plural } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { pointInTime, queryClient, useRead } from '../../lib/queries.ts';
import { columns } from './columns.tsx';
import { type Entry, type ExplorerFilter, type Page, useTail } from './use-tail.ts';

const PAGE_ROWS = 50;
/** Next to a selected event there is no room for the description. */
const { Description: _, ...narrow }: Columns<Entry> = columns;

interface Props {
  filter: ExplorerFilter;
  isLive: boolean;
  selected: number | null;
  onSelect(position: number): void;
}

/** Events that match a filter: older pages on demand, new events automatically unless paused. */
export function EventList({ filter, isLive, selected, onSelect }: Props) {
  const queryKey = ['explorer', filter];
  const load = (before: number | null, signal: AbortSignal) =>
    api.call('explorer', {
      query: { ...filter, limit: PAGE_ROWS, ...(before === null ? {} : { before }) },
      signal,
    });
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const first = query.data?.pages[0];
  const tail = useTail({
    filter,
    from: isLive && first ? first.tail : null,
    async jump(signal) {
      const page = await load(null, signal);
      queryClient.setQueryData(queryKey, { pages: [page], pageParams: [null] });
      return page;
    },
  });
  const older = useMemo(
    () => query.data?.pages.flatMap(({ entries }) => entries) ?? [],
    [query.data],
  );
  const rows = useMemo(() => [...tail.entries, ...older], [tail.entries, older]);
  const missing = useMissing(tail, first);
  return (
    <Panel
      flush
      title="Events"
      aside={
        <>
          {isLive && missing > 0 && (
            <span data-testid="missing">{counted(missing, 'event')} not listed yet</span>
          )}
          <MatchCount filter={filter} />
          <span>newest first</span>
          {isLive && (
            <Button
              size="small"
              aria-pressed={tail.isPaused}
              onClick={tail.isPaused ? tail.resume : tail.pause}
            >
              <span
                aria-hidden="true"
                className={`size-2 rounded-full ${tail.isPaused ? 'bg-fg-3' : 'bg-mint'}`}
              />
              {tail.isPaused ? 'Resume' : 'Pause'}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query} rows={10}>
        {() => (
          <>
            {rows.length === 0 ? (
              <Empty>No events match. Remove a filter to see more.</Empty>
            ) : (
              <DataTable
                bare
                label="Events"
                rows={rows}
                columns={selected === null ? columns : narrow}
                idOf={({ position }) => String(position)}
                selectedId={selected === null ? null : String(selected)}
                onOpen={({ position }) => onSelect(position)}
              />
            )}
            <footer className="flex items-center justify-between gap-4 border-line border-t px-4 py-2 text-fg-3 text-sm">
              <span>{formatInteger(rows.length)} shown</span>
              {query.hasNextPage && (
                <Button
                  size="small"
                  disabled={query.isFetchingNextPage}
                  onClick={() => {
                    // The next jump to the newest events would drop the older page.
                    tail.pause();
                    void query.fetchNextPage();
                  }}
                >
                  Older
                </Button>
              )}
            </footer>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Number of events after the last position that the list includes. While it follows, as of its last response. */
function useMissing(
  { page, isPaused }: ReturnType<typeof useTail>,
  first: Page | undefined,
): number {
  const { data: now } = useQuery(pointInTime());
  const last = page ?? first;
  if (!last) return 0;
  const head = isPaused ? Math.max(now?.head.position ?? 0, last.head) : last.head;
  return Math.max(0, head - last.tail);
}

/** Number of matching events when the filter was set; nothing without a filter or if counting takes too long. */
function MatchCount({ filter }: { filter: ExplorerFilter }) {
  const isFiltered = Object.keys(filter).length > 0;
  const { data } = useRead(
    'countMatches',
    { query: filter },
    { enabled: isFiltered, retry: false },
  );
  if (!data || !isFiltered) return null;
  const n = formatInteger(data.count);
  return (
    <span data-testid="matches">
      {data.more
        ? `more than ${n} events match`
        : `${n} ${plural(data.count, 'event matches', 'events match')}`}
    </span>
  );
}
