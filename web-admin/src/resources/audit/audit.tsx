import { Badge } from '@reelbook/web/components/badge';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Actor } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import { AUDIT_PARAM, AuditPanel, type Job, Verdict } from './audit-panel.tsx';
import { OpenFindings } from './findings.tsx';

/** Audit and jobs. */
export function AuditPage() {
  useTitle('Audit');
  const query = useQuery({
    ...read('jobs', { query: { limit: 30 } }),
    refetchInterval: ({ state }) => (state.data?.running ? LIVE_EVERY_MS / 4 : LIVE_EVERY_MS),
  });
  return (
    <>
      <PageHead title="Audit">
        Recomputes every event from the first one. Receipts are verified by /verifier.html of the
        site, exports and evidence by{' '}
        <code className="select-all font-mono text-xs">
          npm run reelbook -- verify FILE --site URL
        </code>
      </PageHead>
      <Loaded query={query}>
        {({ jobs, running }) => (
          <div className="grid gap-4">
            <OpenFindings />
            <AuditPanel jobs={jobs} running={running} />
            <JobList jobs={jobs} />
          </div>
        )}
      </Loaded>
    </>
  );
}

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
function JobList({ jobs }: { jobs: readonly Job[] }) {
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
              to={here(`${paths.audit}?${AUDIT_PARAM}=${row.original.id}`)}
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
