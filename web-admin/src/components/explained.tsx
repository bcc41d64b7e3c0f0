import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { tokensOf } from '../lib/filter.ts';
import { explorerPath } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, pointInTime, read } from '../lib/queries.ts';
import { useTexts } from '../lib/texts.ts';
import { Amount, PositionChip } from './chips.tsx';
import { Loaded } from './loading.tsx';
import { Panel } from './panel.tsx';

export type Asset = 'points' | 'token';
type Explanation = AdminData<'explainBalance'>;

const PERIODS = { beginning: null, day: 24 * 3_600_000, week: 7 * 24 * 3_600_000 } as const;
type Period = keyof typeof PERIODS;

/** Opening balance, each kind of credit and debit with a link to its events, and the balance, as of `at`. */
export function Explained(props: { account: string; asset: Asset; at: number | null }) {
  const { account, asset, at } = props;
  const { t } = useTexts();
  const [period, setPeriod] = useState<Period>('beginning');
  const moment = useQuery(pointInTime(at ?? undefined));
  const from = openingOf(period, moment.data?.at.time);
  const query = useQuery({
    ...read('explainBalance', {
      query: { account, asset, ...(at === null ? {} : { at }), ...(from && { from }) },
    }),
    placeholderData: (before) => before,
    refetchInterval: CALM_EVERY_MS,
  });
  return (
    <Panel
      title={t('explain.title')}
      aside={
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">{t('explain.period')}</legend>
          {(Object.keys(PERIODS) as Period[]).map((one) => (
            <Button
              key={one}
              size="small"
              look={one === period ? 'primary' : 'plain'}
              aria-pressed={one === period}
              onClick={() => setPeriod(one)}
            >
              {t(`explain.${one}`)}
            </Button>
          ))}
        </fieldset>
      }
    >
      <Loaded query={query} rows={5}>
        {(explanation) => <Terms explanation={explanation} />}
      </Loaded>
    </Panel>
  );
}

/** To the second, so that a poll does not change the query each time. */
function openingOf(period: Period, time: string | null | undefined): string | null {
  const lastMs = PERIODS[period];
  if (lastMs === null || !time) return null;
  return new Date(Date.parse(time) - lastMs).toISOString();
}

function Terms({ explanation }: { explanation: Explanation }) {
  const { t } = useTexts();
  const { opening, terms, balance, adds_up: addsUp, from, at, since } = explanation;
  return (
    <div data-testid="explained">
      <p className="ledger-line">
        <span className="flex flex-wrap items-center gap-2">
          {t('explain.opening')}
          {from.position > 0 && <PositionChip position={from.position} />}
        </span>
        <Amount amount={opening} />
      </p>
      {terms.map((term) => (
        <Term key={`${term.type}${term.game}${term.credit}`} term={term} />
      ))}
      <p className="ledger-line font-semibold" data-testid="explained-balance">
        <span className="flex flex-wrap items-center gap-2">
          {t('explain.balance')}
          {since !== null && <PositionChip position={since} />}
          <span className="font-mono font-normal text-fg-3 text-xs">
            {t('time.asOf')} #{formatInteger(at.position)}
          </span>
        </span>
        <Amount amount={balance} />
      </p>
      {!addsUp && (
        <p role="alert" className="mt-2 text-coral text-sm">
          {t('explain.fault')}
        </p>
      )}
    </div>
  );
}

/** Types of both directions. */
const TWO_WAY: readonly string[] = ['Exchanged', 'BalanceAdjusted'];

function Term({ term }: { term: Explanation['terms'][number] }) {
  const { t } = useTexts();
  const here = useHere();
  const { type, game, credit, events, amount, filter } = term;
  const kind = t(`explain.kind.${type as 'BetPlaced'}`, { defaultValue: type });
  const name = TWO_WAY.includes(type)
    ? t(credit ? 'explain.received' : 'explain.given', { kind })
    : kind;
  return (
    <p className="ledger-line">
      <Link
        to={here(explorerPath(tokensOf(filter)))}
        className="hover:text-brass hover:underline"
        data-testid={`term-${type}-${credit ? 'credit' : 'debit'}`}
      >
        {name}
        {game && <span className="ml-1.5 text-fg-3">{game}</span>}
        <span className="ml-2 font-mono text-fg-3 text-xs">
          {t('explain.events', { count: events })}
        </span>
      </Link>
      <Amount amount={amount} signed />
    </p>
  );
}
