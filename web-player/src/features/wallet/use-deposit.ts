import type { DepositResult } from '@reelbook/contract/schemas/payments';
import { toNumber } from '@reelbook/ledger/money';
import { loadPart } from '@reelbook/web/load-part';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import { type BrowserWallet, connect, WalletError } from '@reelbook/web/wallets/browser-wallet';
import { keptWallet } from '@reelbook/web/wallets/wallets';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { refreshMine } from '../../lib/live.ts';
import { queryClient, systemConfig, tokenConfig } from '../../lib/queries.ts';
import { chainFault, type DepositFault, reportFault } from './deposit-fault.ts';
import { createPendingDeposits } from './pending-deposit.ts';
import type { DepositStep } from './send-deposit.ts';

/** The chain's own readers may be a moment behind the level "confirmed". */
const BEFORE_REPORT_MS = 3_000;

export const pendingDeposits = createPendingDeposits(deviceStorage);

/** A deposit from its order to its report. `onLeft`: it was sent but not reported, so that it can be by hand. */
export function useDeposit(wallet: string, onLeft: () => void) {
  const { t } = useTranslation();
  const [step, setStep] = useState<DepositStep | null>(null);
  const say = (fault: DepositFault) => toast(t(fault.key, { ...fault }), 'bad');

  async function deposit(amountMinor: bigint): Promise<boolean> {
    setStep('checking');
    let hash: string | null = null;
    try {
      const own = await connectOwn(wallet);
      const [system, token, { depositOverChain }] = await Promise.all([
        queryClient.fetchQuery(systemConfig),
        queryClient.fetchQuery(tokenConfig),
        loadPart(() => import('./send-deposit.ts')),
      ]);
      const rpcUrl = new URL(system.rpc_url ?? '/chain', location.origin).href;
      const { token_contract: mint, project_wallet: projectWallet } = token;
      await depositOverChain(
        { wallet: own, rpcUrl, mint, projectWallet, from: wallet, amountMinor },
        {
          step: setStep,
          signed(pending) {
            hash = pending.hash;
            pendingDeposits.keep({ wallet, ...pending });
          },
        },
      );
      setStep('reporting');
      await new Promise((wake) => setTimeout(wake, BEFORE_REPORT_MS));
    } catch (error) {
      setStep(null);
      if (error instanceof NoWallet) toast(t('deposit.connectFirst'), 'bad');
      else if (error instanceof WalletError) toast(t(`connecting.${error.key}`), 'bad');
      else say(chainFailed(error, hash));
      if (hash !== null) onLeft();
      return false;
    }
    const done = await report(toNumber('token', amountMinor), hash ?? '', false);
    setStep(null);
    if (!done) onLeft();
    return done;
  }

  async function report(amount: number, hash: string, manual: boolean): Promise<boolean> {
    try {
      const result = await api.call('deposit', { body: { amount, tx_hash: hash } });
      pendingDeposits.finish(hash);
      refreshMine();
      toast(t(doneKey(result)), 'good');
      return true;
    } catch (error) {
      say(reportFault(error, { manual, hash }));
      return false;
    }
  }

  return { step, deposit, report };
}

/** What did not move is done with; what may have moved is told with its hash, and can be reported by hand. */
function chainFailed(error: unknown, hash: string | null): DepositFault {
  const fault = chainFault(error);
  if (hash === null) return fault;
  if (fault.key === 'deposit.fault.network') return { key: 'deposit.fault.unverified', hash };
  pendingDeposits.finish(hash);
  return fault;
}

function doneKey({ status }: DepositResult) {
  if (status === 'completed') return 'deposit.completed' as const;
  return status === 'review' ? ('deposit.review' as const) : ('deposit.pending' as const);
}

/** No wallet of this browser is the one that signed in. */
class NoWallet extends Error {
  override readonly name = 'NoWallet';
}

/** The wallet that signed in, showing the account that signed in. Throws NoWallet or WalletError. */
async function connectOwn(address: string): Promise<BrowserWallet> {
  const wallet = keptWallet();
  if (!wallet) throw new NoWallet('no wallet');
  const shown = await connect(wallet, { silent: true }).catch(() => connect(wallet));
  if (shown !== address) throw new WalletError('notConnected');
  return wallet;
}
