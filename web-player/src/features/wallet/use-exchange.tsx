import type { ExchangeType } from '@reelbook/contract/player/wallet';
import { amountText } from '@reelbook/web/format';
import { deviceStorage } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { createPendingCommands } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { useKeptCommand } from '../../lib/use-kept-command.ts';
import { otherOf } from './exchange.ts';

/** `amount` in units of `from`, at the rate as shown. */
interface Exchange {
  readonly from: ExchangeType;
  readonly amount: number;
  readonly rate: number;
}

const pendingExchanges = createPendingCommands<Exchange>(
  deviceStorage,
  'pending_exchange',
  ({ from, amount }) => (from === 'points' || from === 'token') && typeof amount === 'number',
);

/** The exchanges of one player. `done` counts those of this visit. */
export function useExchange(wallet: string) {
  const { t } = useTranslation();
  const [done, setDone] = useState(0);
  const shown = (type: ExchangeType, amount: number) =>
    `${amountText(type, amount)} ${t(`exchange.${type}`)}`;
  const { state, send, discard } = useKeptCommand({
    wallet,
    pending: pendingExchanges,
    prepare: async (one: Exchange) => one,
    send: async ({ from, amount, rate }, idempotencyKey) => {
      const body = { from_type: from, to_type: otherOf(from), amount, rate };
      const result = await api.call('exchange', { body, idempotencyKey });
      const received = from === 'points' ? result?.tokens_received : result?.points_received;
      // Not the result that the specification names: the ledger is queried for it.
      if (result?.success !== true || typeof received !== 'number')
        throw new Error('no valid result');
      return result;
    },
    onDone: (result, { from }) => {
      balances.accept(result);
      refreshPlayerData();
      const { tokens_received: tokens, points_received: points } = result;
      const amount = shown(otherOf(from), (from === 'points' ? tokens : points) ?? 0);
      toast(t('exchange.done', { amount }), 'good', undefined, 'exchanged');
      setDone((count) => count + 1);
    },
    onRefused: (error) => {
      askIfProtected(error);
      toast(reasonOf(error), 'bad');
    },
    onDiscarded: ({ from, amount }) =>
      toast(t('unconfirmed.notMoved.exchange', { amount: shown(from, amount) })),
  });
  return {
    state,
    done,
    send: (one: Exchange) => void send(one),
    discard,
    amountOf: ({ from, amount }: Exchange) => shown(from, amount),
  };

  /** The specification's text for an insufficient balance; else the heading and the reason. */
  function reasonOf(error: unknown): string {
    const why = error instanceof Error ? error.message : '';
    if (/^insufficient points balance/i.test(why)) return t('exchange.insufficientPoints');
    if (/^insufficient token balance/i.test(why)) return t('exchange.insufficientToken');
    return t('exchange.failed', { why: refusalText(error) || why || t('exchange.unknown') });
  }
}

/** Shown while an exchange is not confirmed. */
export function ExchangeNotice({ of }: { of: ReturnType<typeof useExchange> }) {
  const { state, amountOf, discard } = of;
  if (state.phase !== 'unconfirmed') return null;
  const { pending, checked } = state;
  return (
    <UnconfirmedNotice
      kind="exchange"
      amount={amountOf(pending)}
      atMs={pending.atMs}
      checked={checked}
      onDiscard={discard}
    />
  );
}
