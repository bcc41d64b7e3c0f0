import { ApiError } from '@reelbook/contract/client';
import type { Statement } from '@reelbook/contract/player/own-data';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { Card, Line } from '@reelbook/web/components/card';
import { Select } from '@reelbook/web/components/select';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { amountText, dateTime, formatInteger, signedText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PeriodFields } from '../../components/period-fields.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { download } from '../../lib/download.ts';
import { type Period, type Range, rangeOf, type Zone } from '../../lib/period.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useQueryFields } from '../../lib/use-query-fields.ts';

type AssetStatement = Statement['assets'][number];

/** `2026-11-25 14:32:07`, in the zone of the period. */
const timeIn = (zone: Zone, iso: string) =>
  zone === 'utc'
    ? `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : dateTime(iso);

/** The figures of a statement: both balances, the result of play, and lifetime sums. */
export function Figures({ statement, zone }: { statement: Statement; zone: Zone }) {
  const { t } = useTranslation();
  const { from, to, to_position: position, play, lifetime } = statement;
  const points = (text: string) => amountText('points', Number(text));
  const bsm = (text: string) => `${amountText('token', Number(text))} BSM`;
  return (
    <>
      <p className="py-3 text-fg-2 text-sm">
        {t('myData.covers', {
          from: from === null ? t('myData.start') : timeIn(zone, from),
          to: timeIn(zone, to),
          position: formatInteger(position),
        })}
      </p>
      <div className="grid items-start gap-x-8 gap-y-6 *:min-w-0 lg:grid-cols-2">
        {statement.assets.map((one) => (
          <Asset key={one.asset} one={one} />
        ))}
        <section>
          <h3 className="mb-1 text-base">{t('myData.play')}</h3>
          <dl>
            <Line label={t('myData.bets')}>{formatInteger(play.bets)}</Line>
            <Line label={t('playSession.staked')}>{points(play.staked)}</Line>
            <Line label={t('myData.won')}>{points(play.won)}</Line>
            <Line label={t('myData.returned')}>{points(play.returned)}</Line>
            <Line label={<strong>{t('myData.net')}</strong>}>
              <strong>{signedText('points', Number(play.net))}</strong>
            </Line>
          </dl>
        </section>
        <section>
          <h3 className="mb-1 text-base">{t('myData.lifetime')}</h3>
          <dl>
            <Line label={t('myData.deposited')}>{bsm(lifetime.deposited)}</Line>
            <Line label={t('myData.withdrawn')}>{bsm(lifetime.withdrawn)}</Line>
          </dl>
        </section>
      </div>
    </>
  );
}

function Asset({ one }: { one: AssetStatement }) {
  const { t } = useTranslation();
  const { asset, terms } = one;
  const text = (amount: string) => amountText(asset, Number(amount));
  const signed = (amount: string) => signedText(asset, Number(amount));
  return (
    <table className="sums">
      <caption>{t(asset === 'points' ? 'header.points' : 'wallet.token')}</caption>
      <thead className="sr-only">
        <tr>
          <th>{t('transactions.column.what')}</th>
          <th>{t('myData.count')}</th>
          <th>{t('eventField.amountMinor')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('myData.opening')}</th>
          <td />
          <td>{text(one.opening)}</td>
        </tr>
        {terms.map(({ type, direction, amount, events }) => (
          <tr key={`${type} ${direction}`}>
            <th scope="row">
              {type === 'withdraw' && direction === 'credit'
                ? t('myData.withdrawalReturned')
                : t(`transactions.type.${type}`)}
            </th>
            <td className="text-fg-3">× {formatInteger(events)}</td>
            <td className={direction === 'credit' ? 'text-mint' : 'text-coral'}>
              {signed(amount)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('myData.closing')}</th>
          <td />
          <td>{text(one.closing)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

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
        <Select<Zone>
          isSmall
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
