import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Visitor } from '../../components/visitor.tsx';
import { systemConfig } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useStore } from '../../lib/store.ts';
import { ExchangeDialog } from './exchange-dialog.tsx';
import { Faucet } from './faucet.tsx';
import { Statement } from './statement.tsx';
import { Transactions } from './transactions.tsx';

/** What the player holds, the ways to change it, and all that ever changed it. */
export function WalletPage() {
  const { t } = useTranslation();
  const wallet = useStore(session)?.user.wallet_address;
  if (!wallet) return <Visitor title={t('wallet.title')}>{t('wallet.visitor')}</Visitor>;
  return <Wallet key={wallet} />;
}

function Wallet() {
  const { t } = useTranslation();
  const [exchanging, setExchanging] = useState(false);
  const { data: system } = useQuery(systemConfig);
  return (
    <>
      <h1 className="mb-5 text-2xl">{t('wallet.title')}</h1>
      <div className="grid gap-4 *:min-w-0 lg:gap-6">
        <Statement
          exchangeEnabled={system?.exchange_enabled !== false}
          onExchange={() => setExchanging(true)}
        />
        {system?.faucet && <Faucet />}
        <Transactions />
      </div>
      {exchanging && <ExchangeDialog onClose={() => setExchanging(false)} />}
    </>
  );
}
