import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/loading.tsx';
import { PageHead } from '../../components/panel.tsx';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useTitle } from '../../lib/use-title.ts';
import { AuditPanel } from './audit-panel.tsx';
import { ChainPanel } from './chain-panel.tsx';
import { FilePanel } from './file-panel.tsx';
import { JobList } from './job-list.tsx';
import { OpenFindings } from './open-findings.tsx';

/** Audit, hash chain and jobs. */
export function Replay() {
  useTitle('Replay');
  const query = useQuery({
    ...read('jobs', { query: { limit: 30 } }),
    refetchInterval: ({ state }) => (state.data?.running ? LIVE_EVERY_MS / 4 : LIVE_EVERY_MS),
  });
  return (
    <>
      <PageHead title="Replay">Audit the ledger and verify its hash chain.</PageHead>
      <Loaded query={query}>
        {({ jobs, running }) => (
          <div className="grid gap-4">
            <OpenFindings />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <AuditPanel jobs={jobs} running={running} />
              <div className="grid min-w-0 gap-4">
                <ChainPanel />
                <FilePanel />
              </div>
            </div>
            <JobList jobs={jobs} />
          </div>
        )}
      </Loaded>
    </>
  );
}
