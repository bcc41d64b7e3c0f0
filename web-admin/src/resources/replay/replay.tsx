import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/loading.tsx';
import { PageHead } from '../../components/panel.tsx';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { AuditPanel } from './audit-panel.tsx';
import { JobList } from './job-list.tsx';
import { OpenFindings } from './open-findings.tsx';

/** Audit and jobs. */
export function Replay() {
  const { t } = useTexts();
  useTitle(t('nav.replay'));
  const query = useQuery({
    ...read('jobs', { query: { limit: 30 } }),
    refetchInterval: ({ state }) => (state.data?.running ? LIVE_EVERY_MS / 4 : LIVE_EVERY_MS),
  });
  return (
    <>
      <PageHead title={t('nav.replay')}>
        {t('replay.lead')}{' '}
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
