import { writeSignature } from '@reelbook/contract/login';
import type { WithdrawBody, WithdrawResult } from '@reelbook/contract/player/wallet';
import { toMinor } from '@reelbook/ledger/money';
import { confirmationMessage } from '@reelbook/ledger/player/confirmation';
import { WALLET_PATTERN } from '@reelbook/ledger/streams';
import { amountText, shortAddress } from '@reelbook/web/format';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { abortable } from '../../lib/abortable.ts';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { createPendingCommands } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { queryClient, systemConfig } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { useKeptCommand } from '../../lib/use-kept-command.ts';
import { connectOwn } from './own-wallet.ts';

export type Withdrawal = Omit<WithdrawBody, 'confirmation'>;

/** Whether the wallet signs a withdrawal to this address. The server refuses what is no address. */
export function needsConfirmation(to: string, wallet: string): boolean {
  return to !== wallet && WALLET_PATTERN.test(to);
}

/** A withdrawal from its start to its result. To another address the wallet signs amount and address first. */
export function useWithdraw(wallet: string, onDone: (id: string) => void) {
  const { state, send, discard } = useSend(wallet, onDone);
  const [signing, setSigning] = useState<AbortController | null>(null);
  const [unsigned, setUnsigned] = useState<Withdrawal | null>(null);

  async function withdraw(body: Withdrawal): Promise<void> {
    setUnsigned(null);
    if (!needsConfirmation(body.to_address, wallet)) {
      void send(body);
      return;
    }
    const call = new AbortController();
    setSigning(call);
    try {
      void send({ ...body, confirmation: await confirm(wallet, body, call.signal) });
    } catch {
      setUnsigned(body);
    } finally {
      setSigning(null);
    }
  }

  return {
    busy: state.phase !== 'idle' || signing !== null,
    state,
    discard,
    withdraw,
    /** Ends the wait for the wallet; null while there is none. */
    stop: signing && (() => signing.abort()),
    /** The withdrawal that the wallet has not signed; the player chooses what happens with it. */
    unsigned,
    sendUnsigned(body: Withdrawal) {
      setUnsigned(null);
      void send(body);
    },
    drop: () => setUnsigned(null),
  };
}

/** Throws what the wallet, the configuration or the signal throws. */
async function confirm(
  wallet: string,
  { amount, to_address: to }: Withdrawal,
  signal: AbortSignal,
) {
  const own = await connectOwn(wallet, signal);
  const { origin } = await queryClient.fetchQuery(systemConfig);
  const amountMinor = toMinor('token', amount) ?? 0n;
  const message = confirmationMessage({ origin, amountMinor, to, atMs: serverNowMs() });
  const bytes = new TextEncoder().encode(message);
  const signature = await abortable(() => own.signMessage(bytes), signal);
  return { message, signature: writeSignature(signature) };
}

const pendingWithdrawals = createPendingCommands<WithdrawBody>(
  deviceStorage,
  'pending_withdrawal',
  ({ amount, to_address }) => typeof amount === 'number' && typeof to_address === 'string',
);

function useSend(wallet: string, onDone: (id: string) => void) {
  const { t } = useTranslation();
  return useKeptCommand({
    wallet,
    pending: pendingWithdrawals,
    prepare: async (body: WithdrawBody) => body,
    send: (body, idempotencyKey) => api.call('withdraw', { body, idempotencyKey }),
    onDone: (result: WithdrawResult) => {
      balances.accept(result);
      refreshPlayerData();
      const { net_amount: net, to_address: to } = result;
      const shown = { amount: amountText('token', net), to: shortAddress(to) };
      const done = t(to === wallet ? 'withdraw.done' : 'withdraw.doneElsewhere', shown);
      toast(done, 'good', undefined, 'withdrawal-requested');
      onDone(result.withdrawal_id);
    },
    onRefused: (error) => {
      askIfProtected(error);
      const why = refusalText(error) || t('exchange.unknown');
      toast(t('withdraw.failed', { why }), 'bad');
    },
    onDiscarded: ({ amount }) => {
      const text = `${amountText('token', amount)} BSM`;
      toast(t('unconfirmed.notMoved.withdrawal', { amount: text }));
    },
  });
}
