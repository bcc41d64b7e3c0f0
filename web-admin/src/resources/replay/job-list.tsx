import { Badge } from '@reelbook/web/components/badge';
import { Link } from 'react-router';
import { Actor } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { dateTimeText } from '../../lib/times.ts';
import { AUDIT_PARAM, Verdict } from './audit-panel.tsx';
import type { Job } from './jobs.ts';

const TONES = {
  running: 'brass',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
  lost: 'bad',
} as const;

const STATE_NAMES = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'stopped',
  lost: 'lost',
};

const KINDS = {
  audit: 'Audit',
  continue: 'Resume',
  export: 'Export',
};

/** Jobs, newest first. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  const here = useHere();
  const columns: Column<Job>[] = [
    {
      id: 'started',
      header: 'Started (UTC)',
      cell: ({ row }) => (
        <span className="whitespace-nowrap font-mono text-xs">
          {dateTimeText(row.original.started_at)}
        </span>
      ),
    },
    {
      id: 'kind',
      header: 'Job',
      cell: ({ row }) => (
        <span>
          {row.original.audit ? (
            <Link
              to={here(`${paths.replay}?${AUDIT_PARAM}=${row.original.id}`)}
              className="underline"
            >
              Audit
            </Link>
          ) : (
            KINDS[row.original.kind]
          )}{' '}
          <span className="font-mono text-fg-3 text-xs">{row.original.subject}</span>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    { id: 'by', header: 'Started by', cell: ({ row }) => <Actor actor={row.original.by} /> },
    {
      id: 'reason',
      header: 'Reason',
      cell: ({ row }) => (
        <span className="text-fg-2">{row.original.error ?? row.original.reason}</span>
      ),
    },
    {
      id: 'state',
      header: 'Status',
      cell: ({ row }) =>
        row.original.audit ? (
          <Verdict audit={row.original.audit} />
        ) : (
          <Badge tone={TONES[row.original.state]}>{STATE_NAMES[row.original.state]}</Badge>
        ),
      meta: { end: true, phone: 'end' },
    },
  ];
  return (
    <Panel flush title="Jobs">
      {jobs.length === 0 ? (
        <p className="px-4 py-6 text-center text-fg-2 text-sm">
          No jobs yet. Audits and exports are listed here.
        </p>
      ) : (
        <DataTable label="Jobs" rows={jobs} columns={columns} idOf={({ id }) => String(id)} />
      )}
    </Panel>
  );
}
