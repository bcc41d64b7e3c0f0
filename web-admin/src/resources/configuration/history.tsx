import type { AdminData } from '@reelbook/contract/admin/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Column } from '../../components/data-table.tsx';
import { eventColumns } from '../../components/event-columns.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { valueText } from '../../lib/setting-texts.ts';
import { dateTimeText } from '../../lib/times.ts';

type Entry = AdminData<'configurationHistory'>['entries'][number];

/** Changes with operator, time and reason, newest first. */
export function ConfigurationHistory() {
  const events = eventColumns();
  const query = useInfiniteQuery({
    queryKey: ['configurationHistory'],
    queryFn: ({ pageParam, signal }) =>
      api.call('configurationHistory', {
        query: pageParam === null ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = query.data?.pages.flatMap(({ entries }) => entries) ?? [];
  const columns: Column<Entry>[] = [
    events.position(),
    events.time(dateTimeText),
    events.actor(),
    {
      id: 'changes',
      header: 'Changes',
      cell: ({ row }) => <Changed changes={row.original.changes} />,
    },
    { id: 'reason', header: 'Reason', cell: ({ row }) => row.original.reason },
  ];
  return (
    <Panel flush title="History">
      <PagedTable
        query={query}
        label="History"
        rows={rows}
        columns={columns}
        idOf={({ version }) => String(version)}
      />
    </Panel>
  );
}

const SHOWN_MAX = 6;

function Changed({ changes }: { changes: Entry['changes'] }) {
  const more = changes.length - SHOWN_MAX;
  return (
    <span className="diff block">
      {changes.slice(0, SHOWN_MAX).map(({ path, before, after }) => (
        <span key={path} className="block">
          <span className="diff-path">{path}</span>{' '}
          <span className="diff-out">{valueText(path, before) || '—'}</span> →{' '}
          <span className="diff-in">{valueText(path, after) || '—'}</span>
        </span>
      ))}
      {more > 0 && <span className="text-fg-3">and {more} more</span>}
    </span>
  );
}
