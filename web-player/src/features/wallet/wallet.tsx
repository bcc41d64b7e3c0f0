import { Button } from '@reelbook/web/components/button';
import { icon } from '@reelbook/web/components/icons';
import { Skeleton } from '@reelbook/web/components/states';
import { amountText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { balances } from '../../lib/balances-store.ts';
import { systemConfig, walletBalance } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { DepositPanel } from './deposit-panel.tsx';
import { ExchangeDialog, ExchangeNotice, useExchange } from './exchange-dialog.tsx';
import { ManualDeposit } from './manual-deposit.tsx';
import { Transactions } from './transactions.tsx';
import { useDeposit } from './use-deposit.ts';
import { WithdrawPanel } from './withdraw-panel.tsx';

const RefreshIcon = icon('M16 10a6 6 0 1 1-1.8-4.3M16 3v3.4h-3.4', 16);
const SwapIcon = icon('M4 7h12l-3-3M16 13H4l3 3');

/** The balances in one line, with the ledger position that they belong to. */
export function Statement(props: { exchangeEnabled: boolean; onExchange(): void }) {
  const { t } = useTranslation();
  const held = useStore(balances);
  return (
    <section className="cabinet" aria-label={t('nav.wallet')}>
      <dl className="grid gap-x-6 gap-y-5 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-[1fr_1fr_1fr_auto] lg:items-start lg:gap-x-8">
        <Held label={t('wallet.token')} unit="BSM">
          {held && amountText('token', held.token)}
        </Held>
        <Held label={t('header.points')}>{held && amountText('points', held.points)}</Held>
        <OnChain />
        <div className="flex flex-wrap items-center justify-between gap-3 sm:col-span-2 md:col-span-3 lg:col-span-1 lg:flex-col lg:items-end">
          <dt className="sr-only">{t('common.position')}</dt>
          <dd>
            {held ? (
              <PositionChip position={held.position} own />
            ) : (
              <Skeleton className="h-7 w-16" />
            )}
          </dd>
          <dd>
            <Button
              look="primary"
              className="min-h-12 px-6"
              disabled={!props.exchangeEnabled}
              onClick={props.onExchange}
            >
              <SwapIcon />
              {t('exchange.title')}
            </Button>
          </dd>
        </div>
      </dl>
      {!props.exchangeEnabled && (
        <p className="mt-4 text-fg-2 text-sm">{t('wallet.exchangeClosed')}</p>
      )}
    </section>
  );
}

/** The wallet's balance on the chain; 0 where the server does not know the wallet. */
function OnChain() {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useQuery(walletBalance);
  const amount = data ? amountText('token', data.balance) : isError ? amountText('token', 0) : null;
  const aside = (
    <button
      type="button"
      aria-label={t('wallet.refreshChain')}
      disabled={isFetching}
      onClick={() => void refetch()}
      className="-my-3 grid size-11 place-items-center rounded-sm hover:bg-ink-3 disabled:opacity-50"
    >
      <RefreshIcon />
    </button>
  );
  return (
    <Held label={t('wallet.chain')} unit="BSM" aside={aside}>
      {amount && (
        <>
          {amount}
          {(data?.stale || isError) && (
            <span className="ml-2 font-sans text-brass text-xs">{t('header.old')}</span>
          )}
        </>
      )}
    </Held>
  );
}

function Held({
  label,
  unit,
  aside,
  children,
}: {
  label: string;
  unit?: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="flex items-center gap-1 text-fg-3 text-sm">
        {label}
        {aside}
      </dt>
      <dd className="mt-1 break-all font-medium font-mono text-xl md:text-2xl">
        {children ?? <Skeleton className="h-8 w-40" />}
        {children && unit && <span className="ml-2 text-fg-3 text-sm">{unit}</span>}
      </dd>
    </div>
  );
}

/** Balances, the ways to change them, and all transactions. */
export function WalletPage() {
  const { t } = useTranslation();
  const wallet = useStore(session)?.user.wallet_address;
  if (!wallet) return <Visitor title={t('nav.wallet')}>{t('wallet.visitor')}</Visitor>;
  return <Wallet key={wallet} wallet={wallet} />;
}

function Wallet({ wallet }: { wallet: string }) {
  const { t } = useTranslation();
  const [exchanging, setExchanging] = useState(false);
  const exchange = useExchange(wallet);
  const { data: system } = useQuery(systemConfig);
  const deposit = useDeposit(wallet);
  const isManualShown = useClosed() === null && system?.network !== null;
  const closeExchange = useCallback(() => setExchanging(false), []);
  return (
    <>
      <h1 className="mb-5 text-2xl">{t('nav.wallet')}</h1>
      <div className="grid gap-4 *:min-w-0 lg:gap-6">
        {!exchanging && <ExchangeNotice of={exchange} />}
        <Statement
          exchangeEnabled={system?.exchange_enabled !== false}
          onExchange={() => setExchanging(true)}
        />
        <div className="grid items-start gap-4 *:min-w-0 md:grid-cols-2 lg:gap-6">
          <DepositPanel wallet={wallet} of={deposit} />
          <WithdrawPanel wallet={wallet} />
        </div>
        {isManualShown && <ManualDeposit of={deposit} />}
        <Transactions />
      </div>
      {exchanging && <ExchangeDialog exchanging={exchange} onClose={closeExchange} />}
    </>
  );
}
