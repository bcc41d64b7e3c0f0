import { Badge } from '@reelbook/web/components/badge';
import { Link } from 'react-router';
import { Actor } from '../../components/chips.tsx';
import { Loaded, PageHead } from '../../components/panel.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { LAST_AUDIT, LIVE_EVERY_MS, useRead } from '../../lib/queries.ts';
import { dateTimeText } from '../../lib/times.ts';
import { AUDIT_PARAM, AuditPanel, JOB_NAMES, Verdict } from './audit-panel.tsx';
import { OpenFindings } from './findings.tsx';

const STATES = {
  running: { tone: 'brass', name: 'running' },
  done: { tone: 'good', name: 'done' },
  failed: { tone: 'bad', name: 'failed' },
  cancelled: { tone: 'plain', name: 'stopped' },
  lost: { tone: 'bad', name: 'lost' },
} as const;

/** Audit and jobs. */
export function AuditPage() {
  const here = useHere();
  const query = useRead('jobs', LAST_AUDIT, {
    refetchInterval: ({ state }) => (state.data?.running ? LIVE_EVERY_MS / 4 : LIVE_EVERY_MS),
  });
  const all = usePages('jobs', ({ jobs }) => jobs, {}, { refetchInterval: LIVE_EVERY_MS });
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
        {(found) => (
          <div className="grid gap-4">
            <OpenFindings />
            <AuditPanel {...found} />
            <ListPanel
              title="Jobs"
              list={all}
              empty="No jobs yet. Audits and exports are listed here."
              idOf={({ id }) => String(id)}
              columns={{
                'Started (UTC)': ({ started_at: at }) => (
                  <span className="whitespace-nowrap font-mono text-xs">{dateTimeText(at)}</span>
                ),
                Job: {
                  lead: ({ id, kind, audit, subject }) => (
                    <span>
                      {audit ? (
                        <Link
                          to={here(`${paths.audit}?${AUDIT_PARAM}=${id}`)}
                          className="underline"
                        >
                          Audit
                        </Link>
                      ) : (
                        JOB_NAMES[kind]
                      )}{' '}
                      <span className="font-mono text-fg-3 text-xs">{subject}</span>
                    </span>
                  ),
                },
                'Started by': ({ by }) => <Actor actor={by} />,
                Reason: ({ error, reason }) => <span className="text-fg-2">{error ?? reason}</span>,
                Status: {
                  total: ({ audit, state }) =>
                    audit ? (
                      <Verdict audit={audit} />
                    ) : (
                      <Badge tone={STATES[state].tone}>{STATES[state].name}</Badge>
                    ),
                },
              }}
            />
          </div>
        )}
      </Loaded>
    </>
  );
}
