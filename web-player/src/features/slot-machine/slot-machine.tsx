import type { GameConfig } from '@reelbook/contract/player/public';
import { Card } from '@reelbook/web/components/card';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { Empty, LoadFailed, Skeleton, SkeletonRows } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ConnectButton } from '../../components/connect-button.tsx';
import { paths } from '../../lib/paths.ts';
import { gameConfigs } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { SessionCard } from '../limits/session-card.tsx';
import { HistoryRow } from './history-row.tsx';
import { Machine, VisitorMachine } from './machine.tsx';
import { PaytableRows } from './paytable-rows.tsx';
import { slotHistory } from './slot-api.ts';

const SKELETON_ROWS = 3;

/** The player's last games, each with its position in the ledger. */
export function HistoryCard({ signedIn, className }: { signedIn: boolean; className: string }) {
  const { t } = useTranslation();
  return (
    <Card
      title={t('history.title')}
      className={className}
      aside={
        signedIn && (
          <Link to={paths.history} className="flex min-h-11 items-center gap-1.5 hover:text-fg">
            {t('history.all')}
            <ArrowIcon />
          </Link>
        )
      }
    >
      {signedIn ? <History /> : <Empty action={<ConnectButton />}>{t('history.visitor')}</Empty>}
    </Card>
  );
}

function History() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(slotHistory);
  if (!data && isError) return <LoadFailed retry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={SKELETON_ROWS} />;
  if (data.length === 0) return <Empty>{t('history.empty')}</Empty>;
  return (
    <ul>
      {data.map((round) => (
        <HistoryRow key={round.round_id} round={round} />
      ))}
    </ul>
  );
}

const ROWS = 8;

/** Payouts and odds by the server's current rules. */
export function PaytableCard({
  config,
  failed,
  retry,
}: {
  config: GameConfig | undefined;
  failed: boolean;
  retry(): void;
}) {
  const { t } = useTranslation();
  const aside = config && t('paytable.returns', { percent: config.return.percent.toFixed(2) });
  return (
    <Card title={t('paytable.title')} aside={aside ?? ''}>
      {config && (
        <>
          <PaytableRows config={config} />
          <p className="pt-3 text-fg-3 text-xs">
            {t('slot.paytableNote', {
              hit: config.hit_rate_percent.toFixed(2),
              max: formatInteger(config.max_win),
            })}
          </p>
        </>
      )}
      {!config && failed && <LoadFailed retry={retry} />}
      {!config && !failed && (
        <>
          <SkeletonRows count={ROWS} className="h-[37px]" />
          <Skeleton className="mt-3 h-9" />
        </>
      )}
    </Card>
  );
}

/** The slot machine page. The machine is rendered first, so that SPIN works early; paytable, session and history follow. */
export function SlotMachine() {
  const wallet = useStore(session)?.user.wallet_address;
  const { data: configs, isError, refetch } = useQuery(gameConfigs);
  const config = configs?.slot_machine;
  const isMachineShown = useDeferredValue(true, false);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-6">
      {wallet ? (
        <Machine key={wallet} wallet={wallet} config={config} />
      ) : (
        <VisitorMachine config={config} />
      )}
      <div className="grid gap-4 lg:gap-6">
        <PaytableCard
          config={isMachineShown ? config : undefined}
          failed={isError}
          retry={() => void refetch()}
        />
        {isMachineShown && wallet && <SessionCard />}
      </div>
      {isMachineShown && <HistoryCard signedIn={wallet !== undefined} className="lg:col-span-2" />}
    </div>
  );
}
