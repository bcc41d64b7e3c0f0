import { Button } from '@reelbook/web/components/button';
import { Tabs } from '@reelbook/web/components/tabs';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Amount } from '../../components/chips.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHead } from '../../components/panel.tsx';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { IntervalForm, useInterval } from './interval.tsx';
import { useGameColumns, useLiabilityColumns, useSignificantColumns } from './report-columns.tsx';
import { ReportFrame } from './report-frame.tsx';

const NAMES = ['gamePerformance', 'liabilities', 'significantEvents'] as const;
type Name = (typeof NAMES)[number];

/** Three printable reports, each with title, interval, operator and time. */
export function Reports() {
  const { t } = useTexts();
  useTitle(t('nav.reports'));
  const [search, setSearch] = useSearchParams();
  const name = NAMES.find((one) => one === search.get('report')) ?? 'gamePerformance';
  const show = (next: Name) =>
    setSearch(
      (now) => {
        now.set('report', next);
        return now;
      },
      { replace: true },
    );
  const views: Readonly<Record<Name, () => ReactNode>> = {
    gamePerformance: GamePerformance,
    liabilities: Liabilities,
    significantEvents: SignificantEvents,
  };
  const View = views[name];
  return (
    <>
      <div className="no-print">
        <PageHead
          title={t('nav.reports')}
          aside={
            <Button size="small" look="primary" onClick={() => window.print()}>
              {t('report.print')}
            </Button>
          }
        />
      </div>
      <IntervalForm />
      <Tabs
        label={t('nav.reports')}
        names={NAMES}
        value={name}
        onChange={show}
        titleOf={(one) => t(`report.${one}`)}
      >
        <View />
      </Tabs>
    </>
  );
}

function GamePerformance() {
  const { t } = useTexts();
  const [interval] = useInterval();
  const query = useQuery(read('gamePerformance', { query: { ...interval } }));
  const columns = useGameColumns();
  return (
    <Loaded query={query}>
      {(report) => (
        <ReportFrame title={t('report.gamePerformance')} report={report}>
          <DataTable
            label={t('report.gamePerformance')}
            rows={report.rows}
            columns={columns}
            idOf={({ game, rules }) => `${game}/${rules}`}
            isBad={({ inside }) => inside === false}
          />
        </ReportFrame>
      )}
    </Loaded>
  );
}

function Liabilities() {
  const { t } = useTexts();
  const [interval] = useInterval();
  const query = useQuery(read('liabilities', { query: { ...interval } }));
  const columns = useLiabilityColumns();
  return (
    <Loaded query={query}>
      {(report) => (
        <ReportFrame title={t('report.liabilities')} report={report}>
          <DataTable
            label={t('report.liabilities')}
            rows={report.rows}
            columns={columns}
            idOf={({ line, closing }) => `${line}/${closing.asset}`}
          />
          <div className="max-w-md px-4 py-3">
            {report.on_chain && (
              <p className="ledger-line">
                <span>{t('solvency.onChain')}</span>
                <Amount amount={report.on_chain} />
              </p>
            )}
            <p className="ledger-line">
              <span>{t('figures.margin')}</span>
              <Amount amount={report.margin} signed />
            </p>
          </div>
        </ReportFrame>
      )}
    </Loaded>
  );
}

function SignificantEvents() {
  const { t } = useTexts();
  const [interval] = useInterval();
  const query = useQuery(read('significantEvents', { query: { ...interval } }));
  const columns = useSignificantColumns();
  return (
    <Loaded query={query}>
      {(report) => (
        <ReportFrame title={t('report.significantEvents')} report={report}>
          <DataTable
            label={t('report.significantEvents')}
            rows={report.rows}
            columns={columns}
            idOf={({ position }) => String(position)}
          />
          {report.truncated && (
            <p className="px-4 py-2 text-coral text-sm">{t('report.truncated')}</p>
          )}
        </ReportFrame>
      )}
    </Loaded>
  );
}
