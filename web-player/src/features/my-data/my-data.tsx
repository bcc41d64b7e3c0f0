import { ApiError } from '@reelbook/contract/client';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../../components/filter-select.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { download } from '../../lib/download.ts';
import { type Period, type Range, rangeOf, type Zone } from '../../lib/period.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useQueryFields } from '../../lib/use-query-fields.ts';
import { Figures } from './statement-figures.tsx';

const TOO_MANY = 429;

/** The statement of a period, and everything about the player as a file. */
export function MyData() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) return <Visitor title={t('nav.myData')}>{t('myData.visitor')}</Visitor>;
  return (
    <>
      <h1 className="text-2xl">{t('nav.myData')}</h1>
      <p className="mt-1 mb-5 text-fg-2">{t('myData.lead')}</p>
      <div key={signedIn.user.wallet_address} className="grid gap-4 *:min-w-0 lg:gap-6">
        <StatementCard />
        <ExportCard />
      </div>
    </>
  );
}

const statement = (period: Period, range: Range | null) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'statement', period],
    queryFn: () => api.call('statement', { query: range ?? {} }),
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });

function StatementCard() {
  const { t } = useTranslation();
  const { period, setPeriod } = useQueryFields();
  const range = rangeOf(period, new Date());
  const { data, isError, isPlaceholderData, refetch } = useQuery(statement(period, range));
  const zones: readonly (readonly [Zone, string])[] = [
    ['local', t('period.local', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })],
    ['utc', t('period.utc')],
  ];
  return (
    <Card title={t('myData.statement')}>
      <fieldset className="filter-bar">
        <legend className="sr-only">{t('period.label')}</legend>
        <PeriodFields period={period} onChange={setPeriod} />
        <FilterSelect<Zone>
          label={t('period.zone')}
          value={period.zone}
          onChange={(zone) => setPeriod({ zone })}
          options={zones}
        />
      </fieldset>
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && range !== null && <SkeletonRows count={8} />}
      {data && range !== null && (
        <div className={isPlaceholderData ? 'opacity-60' : ''} aria-busy={isPlaceholderData}>
          <Figures statement={data} zone={period.zone} />
          <Files range={range} />
        </div>
      )}
    </Card>
  );
}

function useDownload() {
  const { t } = useTranslation();
  return useCommand({
    send: ({ path, name }: { path: string; name: string }) => download(path, name),
    onDone: () => toast(t('myData.saved'), 'good'),
    onFailed: (error) =>
      toast(
        t(
          error instanceof ApiError && error.code === TOO_MANY
            ? 'myData.tooMany'
            : 'common.loadFailed',
        ),
        'bad',
      ),
  });
}

function Files({ range }: { range: Range }) {
  const { t } = useTranslation();
  const { busy, send } = useDownload();
  return (
    <p className="mt-4 flex flex-wrap gap-3">
      {(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          disabled={busy}
          onClick={() => {
            const query = new URLSearchParams({ ...range, format });
            const name = `reelbook-statement.${format}`;
            send({ path: `/user/statement/file?${query}`, name });
          }}
        >
          {t(`myData.${format}`)}
        </Button>
      ))}
    </p>
  );
}

const PARTS = ['account', 'limits', 'rounds', 'events'] as const;

function ExportCard() {
  const { t } = useTranslation();
  const { busy, send } = useDownload();
  return (
    <Card title={t('myData.export')}>
      <p className="text-fg-2">{t('myData.exportLead')}</p>
      <ul className="my-3 grid list-disc gap-1 pl-5 text-fg-2 text-sm">
        {PARTS.map((part) => (
          <li key={part}>{t(`myData.parts.${part}`)}</li>
        ))}
      </ul>
      <p className="mb-4 text-fg-2 text-sm">{t('myData.verify')}</p>
      <p className="flex flex-wrap gap-3">
        <Button
          look="primary"
          disabled={busy}
          onClick={() => send({ path: '/user/export', name: 'reelbook-my-data.jsonl' })}
        >
          {t(busy ? 'myData.preparing' : 'myData.download')}
        </Button>
        <a className={buttonClass()} href="/verifier.html" download>
          {t('round.verifier')}
        </a>
      </p>
    </Card>
  );
}
