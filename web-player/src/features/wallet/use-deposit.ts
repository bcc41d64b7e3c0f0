import type { DepositResult } from '@reelbook/contract/player/wallet';
import { toNumber } from '@reelbook/ledger/money';
import { formatInteger } from '@reelbook/web/format';
import { loadPart } from '@reelbook/web/load-part';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import { WalletError } from '@reelbook/web/wallets/browser-wallet';
import { keptWallet, watchWallets } from '@reelbook/web/wallets/wallets';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { queryClient, systemConfig, tokenConfig } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { chainFault, type DepositFault, intentFault, reportFault } from './deposit-fault.ts';
import { connectOwn, NoWallet } from './own-wallet.ts';
import { createPendingDeposits } from './pending-deposit.ts';
import type { DepositStep } from './send-deposit.ts';

/** The RPC nodes of the server may lag the level "confirmed". */
const BEFORE_REPORT_MS = 3_000;
/** The specification's limits in BSM, used until the configuration is loaded. */
export const MIN_DEPOSIT_DEFAULT = 1;
export const MAX_DEPOSIT_DEFAULT = 1_000_000;

export const pendingDeposits = createPendingDeposits(deviceStorage);

/** A deposit from its start to its report. `onLeft`: sent but not reported, so that it can be reported manually. */
export function useDeposit(wallet: string, onLeft: () => void) {
  const { t } = useTranslation();
  const [step, setStep] = useState<DepositStep | null>(null);
  const calling = useRef<AbortController | null>(null);
  const showFault = (fault: DepositFault) => {
    const why = 'code' in fault ? { why: t(`depositFaults.${fault.code}`) } : {};
    toast(t(fault.key, { ...bounds(), ...fault, ...why }), 'bad');
  };

  async function deposit(amountMinor: bigint): Promise<boolean> {
    setStep('checking');
    const call = new AbortController();
    calling.current = call;
    if (!(await mayDeposit(toNumber('token', amountMinor)))) {
      setStep(null);
      return false;
    }
    let hash: string | null = null;
    let unwatch = () => {};
    try {
      const own = await connectOwn(wallet, call.signal);
      unwatch = watchLeaving(own.name, wallet, () => call.abort(new WalletError('notConnected')));
      const [system, token, { depositOverChain }] = await Promise.all([
        queryClient.fetchQuery(systemConfig),
        queryClient.fetchQuery(tokenConfig),
        loadPart(() => import('./send-deposit.ts')),
      ]);
      const rpcUrl = new URL(system.rpc_url ?? '/chain', location.origin).href;
      const { token_contract: mint, decimals, project_wallet: projectWallet } = token;
      await depositOverChain(
        {
          wallet: own,
          rpcUrl,
          mint,
          decimals,
          projectWallet,
          from: wallet,
          amountMinor,
          signal: call.signal,
        },
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
      else showFault(chainFailed(error, hash));
      if (hash !== null) onLeft();
      return false;
    } finally {
      unwatch();
    }
    const done = await report(toNumber('token', amountMinor), hash ?? '', false);
    setStep(null);
    if (!done) onLeft();
    return done;
  }

  /** Queries the server before the wallet: a sent deposit is credited even against limits and exclusion. */
  async function mayDeposit(amount: number): Promise<boolean> {
    try {
      await api.call('depositIntent', { body: { amount } });
      return true;
    } catch (error) {
      showFault(intentFault(error));
      return false;
    }
  }

  async function report(amount: number, hash: string, manual: boolean): Promise<boolean> {
    try {
      const result = await api.call('deposit', { body: { amount, tx_hash: hash } });
      pendingDeposits.finish(hash);
      refreshPlayerData();
      toast(t(doneKey(result)), 'good', undefined, 'deposit-credited');
      return true;
    } catch (error) {
      showFault(reportFault(error, { manual, hash }));
      return false;
    }
  }

  const stop = () => calling.current?.abort(new Error('cancelled by user'));
  return { step, deposit, report, stop };
}

/** The limits of a deposit, as figures for error texts. */
function bounds(): { min: string; max: string } {
  const system = queryClient.getQueryData(systemConfig.queryKey);
  return {
    min: formatInteger(system?.min_deposit ?? MIN_DEPOSIT_DEFAULT),
    max: formatInteger(system?.max_deposit ?? MAX_DEPOSIT_DEFAULT),
  };
}

/** Aborts when the wallet is removed from the browser, or when its player is signed out. */
function watchLeaving(name: string, address: string, leave: () => void): () => void {
  const check = () => {
    const isHere = keptWallet()?.name === name && session.get()?.user.wallet_address === address;
    if (!isHere) leave();
  };
  const stops = [watchWallets(check), session.subscribe(check)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A deposit that did not move is dropped; one that may have moved is shown with its hash for a manual report. */
function chainFailed(error: unknown, hash: string | null): DepositFault {
  const fault = chainFault(error);
  if (hash === null) return fault;
  const isUnknown = fault.key === 'deposit.fault.network' || fault.key === 'deposit.fault.notSent';
  if (isUnknown) return { key: 'deposit.fault.unverified', hash };
  pendingDeposits.finish(hash);
  return fault;
}

function doneKey({ status }: DepositResult) {
  if (status === 'completed') return 'deposit.completed' as const;
  return status === 'review' ? ('deposit.review' as const) : ('deposit.pending' as const);
}
