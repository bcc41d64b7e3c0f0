import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Amount } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Now } from '../../components/now.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { amountText } from '../../lib/amounts.ts';
import { explorerPath, paths } from '../../lib/paths.ts';
import { useAt, useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { agoText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import { TrialBalance } from '../travel/trial-balance.tsx';

type Solvency = AdminData<'solvency'>;

/** Assets, liabilities and margin, with the on-chain balance. */
export function SolvencyPage() {
  const { t } = useTexts();
  useTitle(t('nav.solvency'));
  const [at] = useAt();
  const query = useQuery({ ...read('solvency'), refetchInterval: CALM_EVERY_MS });
  return (
    <>
      <PageHead title={t('nav.solvency')}>{t('solvency.lead')}</PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Now>
          <Loaded query={query} rows={8}>
            {(solvency) => (
              <div className="grid min-w-0 gap-4">
                <Coverage solvency={solvency} />
                <Queues solvency={solvency} />
              </div>
            )}
          </Loaded>
        </Now>
        <TrialBalance at={at} />
      </div>
    </>
  );
}

type AmountKey = 'players' | 'held' | 'unmatched' | 'fees' | 'house' | 'chain' | 'in_flight';

/** Explorer filter of the events of each figure. */
const SOURCE_EVENTS: Readonly<Record<AmountKey, string>> = {
  players: 'asset:token',
  held: 'type:WithdrawalRequested,WithdrawalFinalized,WithdrawalReleased',
  unmatched: 'type:UnmatchedDepositSeen,UnmatchedDepositResolved',
  fees: 'type:WithdrawalFinalized',
  house: 'type:Exchanged,BalanceAdjusted',
  chain: 'type:DepositCredited,WithdrawalFinalized',
  in_flight: 'kind:treasury',
};

function Coverage({ solvency }: { solvency: Solvency }) {
  const { t } = useTexts();
  const here = useHere();
  const line = (key: AmountKey) => (
    <p className="ledger-line">
      <Link
        to={here(explorerPath(SOURCE_EVENTS[key]))}
        className="hover:text-brass hover:underline"
      >
        {t(`solvency.${key}`)}
      </Link>
      <Amount amount={solvency[key]} />
    </p>
  );
  return (
    <Panel
      title={t('solvency.coverage')}
      aside={
        <Badge tone={solvency.solvent ? 'good' : 'bad'}>
          {t(solvency.solvent ? 'solvency.solvent' : 'solvency.insolvent')}
        </Badge>
      }
    >
      <p className="mb-1 text-fg-3 text-xs">{t('solvency.assets')}</p>
      {line('chain')}
      {line('in_flight')}
      <p className="ledger-line">
        <span>
          {t('solvency.onChain')}
          {solvency.slot !== null && (
            <span className="ml-2 font-mono text-fg-3 text-xs">
              slot {formatInteger(solvency.slot)}
            </span>
          )}
        </span>
        {solvency.on_chain ? <Amount amount={solvency.on_chain} /> : t('figures.unseen')}
      </p>
      {solvency.hot_wallet_max && (
        <p className="ledger-line">
          <span>{t('solvency.cap')}</span>
          <Amount amount={solvency.hot_wallet_max} />
        </p>
      )}
      {solvency.over_cap && (
        <p
          role="alert"
          className="mt-2 rounded-sm border border-coral bg-coral-soft px-3 py-2 text-sm"
        >
          {t('solvency.overCap', { over: amountText(solvency.over_cap) })}
        </p>
      )}
      <p className="mt-3 mb-1 text-fg-3 text-xs">{t('solvency.owed')}</p>
      {line('players')}
      {line('held')}
      {line('unmatched')}
      <p className="ledger-line">
        <span>{t('solvency.liabilities')}</span>
        <Amount amount={solvency.liabilities} />
      </p>
      <p className="mt-3 mb-1 text-fg-3 text-xs">{t('line.house')}</p>
      {line('house')}
      {line('fees')}
      <p className="ledger-line" data-testid="margin">
        <span>{t('figures.margin')}</span>
        <Amount amount={solvency.margin} signed />
      </p>
      <p className="mt-2 text-fg-3 text-xs">
        {t('solvency.points')} <Amount amount={solvency.points_held} />
      </p>
    </Panel>
  );
}

function Queues({ solvency }: { solvency: Solvency }) {
  const { t } = useTexts();
  const here = useHere();
  const { queues } = solvency;
  const counted = [
    'requested',
    'approved',
    'signed',
    'on_hold',
    'unrecorded',
    'pending_reports',
  ] as const;
  return (
    <Panel title={t('solvency.queues')}>
      <dl>
        {counted.map((key) => (
          <Fact key={key} label={t(`solvency.queue.${key}`)}>
            <Link
              to={here(
                key === 'unrecorded' || key === 'pending_reports'
                  ? paths.health
                  : paths.withdrawals,
              )}
              className="font-mono hover:text-brass hover:underline"
            >
              {formatInteger(queues[key])}
            </Link>
          </Fact>
        ))}
        <Fact label={t('nav.unmatched')}>
          <Link to={here(paths.unmatched)} className="font-mono hover:text-brass hover:underline">
            {formatInteger(queues.unmatched)}
          </Link>
        </Fact>
        <Fact label={t('solvency.oldest')}>
          <span className="font-mono">{agoText(queues.oldest_withdrawal_s)}</span>
        </Fact>
      </dl>
    </Panel>
  );
}
