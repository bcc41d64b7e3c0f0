import type { DepositResult } from '@reelbook/contract/player/wallet';
import { toNumber } from '@reelbook/ledger/money';
import { amountText } from '@reelbook/web/format';
import { loadPart } from '@reelbook/web/load-part';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import { isTransient } from '@reelbook/web/use-command';
import { WalletError } from '@reelbook/web/wallets/browser-wallet';
import { keptWallet, watchWallets } from '@reelbook/web/wallets/wallets';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { credited, refreshPlayerData } from '../../lib/live.ts';
import { createPendingCommands } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { PLAYER_DATA, queryClient, systemConfig, tokenConfig } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { askUntilKnown } from '../../lib/unconfirmed.ts';
import { useKeptCommand } from '../../lib/use-kept-command.ts';
import {
  chainFault,
  type Deposit,
  type DepositFault,
  faultOf,
  NotSent,
  reportFault,
} from './deposit-fault.ts';
import { connectOwn, NoWallet } from './own-wallet.ts';
import type { DepositStep, SignedDeposit } from './send-deposit.ts';
import { paymentIdOf } from './transactions.tsx';

/** The RPC nodes of the server may lag the level "confirmed". */
const BEFORE_REPORT_MS = 3_000;
const SENDING_MAX_MS = 20_000;
/** The specification's limits in BSM, used until the configuration is loaded. */
export const MIN_DEPOSIT_DEFAULT = 1;
export const MAX_DEPOSIT_DEFAULT = 1_000_000;

/** Stored when the wallet has signed, before anything is sent; until it is credited or has expired, no other is sent. */
const pendingDeposits = createPendingCommands<Deposit>(
  deviceStorage,
  'pending_deposit',
  ({ hash, amount, blockhash, lastValidBlockHeight }) =>
    typeof hash === 'string' &&
    typeof amount === 'number' &&
    typeof blockhash === 'string' &&
    typeof lastValidBlockHeight === 'number',
);

type Reported = Pick<DepositResult, 'status'>;

/** The deposits of one player. `done` is the last one of this visit. */
export function useDeposit(wallet: string) {
  const { t } = useTranslation();
  const [step, setStep] = useState<DepositStep | null>(null);
  const [done, setDone] = useState<Deposit | null>(null);
  const calling = useRef<AbortController | null>(null);
  const signed = useRef<SignedDeposit | null>(null);
  const kept = useKeptCommand<bigint, Deposit, Reported>({
    wallet,
    pending: pendingDeposits,
    async prepare(amountMinor) {
      setStep('checking');
      calling.current = new AbortController();
      signed.current = await signOwn(wallet, amountMinor, { call: calling.current, setStep });
      return signed.current.deposit;
    },
    async send() {
      // A node that does not answer delays nothing: the report is due anyway.
      await Promise.race([signed.current?.send(), pause(SENDING_MAX_MS)]);
      setStep('reporting');
      await pause(BEFORE_REPORT_MS);
      throw new Error('a credit is in the ledger only');
    },
    isUnconfirmed: (error) => !(error instanceof NotSent),
    follow: (deposit, asking) => askUntilKnown(() => askOutcome(deposit, asking.signal), asking),
    onDone(result, deposit) {
      showReported(result);
      setDone(deposit);
    },
    onRefused(error) {
      askIfProtected(error);
      if (error instanceof NoWallet) toast(t('deposit.connectFirst'), 'bad');
      else if (error instanceof WalletError) toast(t(`connecting.${error.key}`), 'bad');
      else showDepositFault(chainFault(error));
    },
    onDiscarded({ amount }, why) {
      const shown = { amount: `${amountText('token', amount)} BSM` };
      if (why === 'expired') toast(t('unconfirmed.notMoved.deposit', shown));
      else showDepositFault(reportFault(why, { manual: false }));
    },
  });

  /** Shows what the server has of a reported deposit. Only a credit is shown as a success. */
  function showReported({ status }: Reported): void {
    refreshPlayerData();
    if (status === 'completed')
      toast(t('deposit.completed'), 'good', undefined, 'deposit-credited');
    else toast(t(status === 'review' ? 'deposit.review' : 'deposit.pending'));
  }

  function showDepositFault(fault: DepositFault): void {
    const why = 'code' in fault ? { why: t(`depositFaults.${fault.code}`) } : {};
    toast(t(fault.key, { ...fault, ...why }), 'bad');
  }

  const { state } = kept;
  const isFirstCheck = state.phase === 'unconfirmed' && state.checked === 'checking';
  return {
    state,
    /** Of the deposit that is being sent and reported. Null after a reload. */
    step: state.phase === 'sending' || isFirstCheck ? step : null,
    done,
    deposit: (amountMinor: bigint) => void kept.send(amountMinor),
    /** Cancels the deposit before it is signed. */
    stop: () => calling.current?.abort(new Error('cancelled by user')),
    showReported,
    showDepositFault,
  };
}

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

/** Queries the server before the wallet: a sent deposit is credited even against limits and exclusion. */
async function signOwn(
  wallet: string,
  amountMinor: bigint,
  { call, setStep }: { call: AbortController; setStep(step: DepositStep): void },
): Promise<SignedDeposit> {
  await api.call('depositIntent', { body: { amount: toNumber('token', amountMinor) } });
  const own = await connectOwn(wallet, call.signal);
  const unwatch = watchLeaving(own.name, wallet, () => call.abort(new WalletError('notConnected')));
  try {
    const [system, token, { signDeposit }] = await Promise.all([
      queryClient.fetchQuery(systemConfig),
      // The treasury of now.
      queryClient.fetchQuery({ ...tokenConfig, staleTime: 0 }),
      loadPart(() => import('./send-deposit.ts')),
    ]);
    const { token_contract: mint, decimals, project_wallet: projectWallet } = token;
    const rpcUrl = new URL(system.rpc_url ?? '/chain', location.origin).href;
    const treasury = { rpcUrl, mint, decimals, projectWallet };
    const order = { ...treasury, wallet: own, from: wallet, amountMinor, signal: call.signal };
    return await signDeposit(order, setStep);
  } finally {
    unwatch();
  }
}

/** Reports the deposit, which may be repeated. Null while it is neither credited nor certain never to be. */
async function askOutcome(deposit: Deposit, signal: AbortSignal) {
  const { hash, amount, blockhash, lastValidBlockHeight } = deposit;
  const body = {
    amount,
    tx_hash: hash,
    expiry: { blockhash, last_valid_block_height: lastValidBlockHeight },
  };
  try {
    const result = await api.call('deposit', { body, signal });
    if (result.status !== 'pending') return { status: 'done' as const, result };
    // Its row in the list.
    void queryClient.invalidateQueries({ queryKey: [PLAYER_DATA] });
    return null;
  } catch (error) {
    const fault = faultOf(error);
    if (fault) {
      return { status: 'discarded' as const, result: fault === 'expired' ? fault : error };
    }
    if (await isCredited(hash, signal)) return { status: 'done' as const, result: CREDITED };
    if (isTransient(error)) throw error;
    return null;
  }
}

export const CREDITED = { status: 'completed' } as const;
/** Of which a deposit that was just credited is one. */
const LISTED = { page: 1, page_size: 20, type: 'deposit', status: 'completed' } as const;

/** What arrives is credited also without a report, or against a refused one, such as above a limit. */
export async function isCredited(hash: string, signal: AbortSignal): Promise<boolean> {
  if (credited.get() === hash) return true;
  const found = await api.call('payment', { params: { id: hash }, signal }).catch(() => null);
  if (found) return found.status === 'completed';
  const listed = await api.call('transactions', { query: LISTED, signal }).catch(() => null);
  return listed?.items.some((one) => paymentIdOf(one) === hash) ?? false;
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
