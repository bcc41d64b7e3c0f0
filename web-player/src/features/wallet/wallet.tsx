import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Visitor } from '../../components/visitor.tsx';
import { systemConfig } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { DepositPanel } from './deposit-panel.tsx';
import { ExchangeDialog } from './exchange-dialog.tsx';
import { ManualDeposit } from './manual-deposit.tsx';
import { Statement } from './statement.tsx';
import { Transactions } from './transactions.tsx';
import { useDeposit } from './use-deposit.ts';
import { ExchangeNotice, useExchange } from './use-exchange.tsx';
import { WithdrawPanel } from './withdraw-panel.tsx';

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
