import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { VisibilityState } from '@tanstack/react-table';
import { useMemo } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { useTexts } from '../../lib/texts.ts';
import { columnsOf } from './columns.tsx';
import type { Entry, ExplorerFilter, Page } from './data.ts';
import { useTail } from './use-tail.ts';

const PAGE_ROWS = 50;

interface Props {
  filter: ExplorerFilter;
  isLive: boolean;
  visibility: VisibilityState;
  selected: number | null;
  onSelect(position: number): void;
}

/** Events that match a filter: older pages on demand, new events automatically unless paused. */
export function EventList(props: Props) {
  const { filter, isLive } = props;
  const query = useInfiniteQuery({
    queryKey: ['explorer', filter],
    queryFn: ({ pageParam, signal }) =>
      api.call('explorer', {
        query: {
          ...filter,
          limit: PAGE_ROWS,
          ...(pageParam === null ? {} : { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const first = query.data?.pages[0];
  const tail = useTail({ filter, from: isLive && first ? first.tail : null });
  const older = useMemo(
    () => query.data?.pages.flatMap(({ entries }) => entries) ?? [],
    [query.data],
  );
  const rows = useMemo(() => [...tail.entries, ...older], [tail.entries, older]);
  return (
    <Listed
      {...props}
      query={query}
      rows={rows}
      tail={tail}
      unindexed={first ? Math.max(0, (tail.page ?? first).head - (tail.page ?? first).reached) : 0}
    />
  );
}

function Listed(
  props: Props & {
    query: ReturnType<typeof useInfiniteQuery<Page>> | object;
    rows: readonly Entry[];
    tail: ReturnType<typeof useTail>;
    unindexed: number;
  },
) {
  const { rows, tail, isLive, visibility, selected, onSelect, unindexed } = props;
  const query = props.query as ReturnType<typeof useInfiniteQuery<Page>>;
  const { t } = useTexts();
  const columns = useMemo(() => columnsOf((name) => t(`explorer.column.${name}`)), [t]);
  return (
    <Panel
      flush
      title={t('explorer.events')}
      aside={
        <>
          {unindexed > 0 && <span>{t('explorer.unindexed', { count: unindexed })}</span>}
          <span>{t('explorer.newest')}</span>
          {isLive && (
            <Button size="small" aria-pressed={tail.isPaused} onClick={tail.toggle}>
              <span
                aria-hidden="true"
                className={`size-2 rounded-full ${tail.isPaused ? 'bg-fg-3' : 'bg-mint'}`}
              />
              {t(tail.isPaused ? 'explorer.resume' : 'explorer.pause')}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query} rows={10}>
        {() => (
          <>
            {rows.length === 0 ? (
              <Empty>{t('explorer.empty')}</Empty>
            ) : (
              <DataTable
                label={t('explorer.events')}
                rows={rows}
                columns={columns}
                visibility={visibility}
                idOf={({ position }) => String(position)}
                selectedId={selected === null ? null : String(selected)}
                onOpen={({ position }) => onSelect(position)}
              />
            )}
            <footer className="flex items-center justify-between gap-4 border-line border-t px-4 py-2 text-fg-3 text-sm">
              <span>
                {t('explorer.shown', { count: rows.length, n: formatInteger(rows.length) })}
              </span>
              {query.hasNextPage && (
                <Button
                  size="small"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {t('explorer.older')}
                </Button>
              )}
            </footer>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
