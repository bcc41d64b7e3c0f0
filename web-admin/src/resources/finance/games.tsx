import { Skeleton } from '@reelbook/web/components/states';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Loaded } from '../../components/loading.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { part } from '../../lib/parts.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { IntervalForm, useInterval } from './interval.tsx';
import { LargeWins } from './large-wins.tsx';
import { ReturnTable } from './return-table.tsx';

/** Charts are large chunks, loaded on the first visit. */
const RevenueChart = part(async () => (await import('./revenue-chart.tsx')).RevenueChart);
const ReturnChart = part(async () => (await import('./return-chart.tsx')).ReturnChart);

/** Revenue by day, and actual return compared with its confidence band. */
export function GamesPage() {
  const { t } = useTexts();
  useTitle(t('nav.games'));
  const [interval] = useInterval();
  const calm = { refetchInterval: CALM_EVERY_MS };
  const revenue = useQuery({ ...read('revenue', { query: { ...interval } }), ...calm });
  const returns = useQuery({ ...read('returns', { query: { ...interval } }), ...calm });
  return (
    <>
      <PageHead title={t('nav.games')}>{t('games.lead')}</PageHead>
      <IntervalForm />
      <div className="grid gap-4">
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Panel title={t('games.ggr')}>
            <Loaded query={revenue}>
              {(data) => (
                <Suspense fallback={<Skeleton className="h-64" />}>
                  <RevenueChart revenue={data} />
                </Suspense>
              )}
            </Loaded>
          </Panel>
          <Panel title={t('games.returns')}>
            <Loaded query={returns}>
              {(data) => (
                <Suspense fallback={<Skeleton className="h-64" />}>
                  <ReturnChart rows={data.rows} />
                </Suspense>
              )}
            </Loaded>
          </Panel>
        </div>
        <Panel flush title={t('games.byRules')}>
          <Loaded query={returns}>
            {({ rows, confidence }) => <ReturnTable rows={rows} confidence={confidence} />}
          </Loaded>
        </Panel>
        <LargeWins interval={interval} />
      </div>
    </>
  );
}
