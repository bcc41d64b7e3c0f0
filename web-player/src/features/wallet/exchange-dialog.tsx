import type { ExchangeType } from '@reelbook/contract/player/wallet';
import { DECIMALS, toNumber } from '@reelbook/ledger/money';
import { heldMinor, typedAmount } from '@reelbook/web/amount';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { Skeleton } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { amountText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { exchangeRates } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { draftExchange, leastExchange, otherOf } from './exchange.ts';

const DIRECTIONS = ['points', 'token'] as const satisfies readonly ExchangeType[];

/** Exchanges points for BSM or BSM for points; shows both sides before. */
export function ExchangeDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [from, setFrom] = useState<ExchangeType>('points');
  const closed = useClosed();
  return (
    <Dialog title={t('exchange.title')} onClose={onClose}>
      <Tabs<ExchangeType>
        label={t('exchange.direction')}
        names={DIRECTIONS}
        value={from}
        onChange={setFrom}
        titleOf={(name) =>
          t(name === 'points' ? 'exchange.pointsToToken' : 'exchange.tokenToPoints')
        }
      >
        {closed && from === 'token' ? (
          <ClosedPanel closed={closed} />
        ) : (
          <ExchangeForm key={from} from={from} onClose={onClose} />
        )}
      </Tabs>
    </Dialog>
  );
}

function ExchangeForm({ from, onClose }: { from: ExchangeType; onClose(): void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const held = useStore(balances);
  const { data: rates, isError, refetch } = useQuery(exchangeRates);
  const { busy, send } = useExchange(from, onClose);
  const to = otherOf(from);
  const ownMinor = held ? heldMinor(from, from === 'points' ? held.points : held.token) : 0n;
  const rate = rates && (from === 'points' ? rates.points_to_tokens : rates.tokens_to_points);
  const { amountMinor, receiveMinor, fault } = draftExchange({
    from,
    text,
    heldMinor: ownMinor,
    rate,
  });
  const canSend = amountMinor !== null && fault === null && rate !== undefined && !busy;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) send(toNumber(from, amountMinor));
      }}
    >
      <dl className="mb-4 grid grid-cols-2 gap-3 rounded-md border border-line bg-ink-2 px-4 py-3">
        <Have type="points">{held && amountText('points', held.points)}</Have>
        <Have type="token">{held && amountText('token', held.token)}</Have>
      </dl>
      <AmountField
        label={t('exchange.unit', { label: t('exchange.give'), unit: t(`exchange.${from}`) })}
        value={text}
        onChange={setText}
        disabled={busy}
        error={fault && faultText(fault)}
        aside={
          <Button
            className="min-h-10 px-3 font-mono text-sm"
            disabled={ownMinor === 0n || busy}
            onClick={() => setText(typedAmount(from, ownMinor))}
          >
            {t('exchange.max')}
          </Button>
        }
        hint={
          rate !== undefined &&
          `${t(from === 'points' ? 'exchange.ratePoints' : 'exchange.rateToken', { rate })} · ${t('bounds.exchangeMin', leastOf(rate))}`
        }
      />
      <div className="mt-3 flex min-h-16 items-baseline justify-between gap-4 rounded-md border border-line bg-ink-2 px-4 py-4">
        <span className="text-fg-2 text-sm">{t('exchange.receive')}</span>
        <output className="min-w-0 break-all text-right font-mono text-lg text-mint">
          {receiveMinor === null ? (
            <span className="text-fg-3">0</span>
          ) : (
            `+${amountText(to, toNumber(to, receiveMinor))}`
          )}{' '}
          <span className="text-fg-2 text-sm">{t(`exchange.${to}`)}</span>
        </output>
      </div>
      {isError && !rates && (
        <p className="mt-3 text-coral text-sm" role="alert">
          {t('exchange.noRates')}{' '}
          <button
            type="button"
            className="min-h-11 font-semibold underline"
            onClick={() => void refetch()}
          >
            {t('common.tryAgain')}
          </button>
        </p>
      )}
      <div className="mt-5 grid grid-cols-2 gap-3">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="primary" type="submit" disabled={!canSend}>
          {t(busy ? 'exchange.processing' : 'exchange.submit')}
        </Button>
      </div>
    </form>
  );

  /** The bounds as texts: the least amount, and what it gives. */
  function leastOf(rate: number) {
    const text = (asset: ExchangeType, minor: bigint) =>
      `${amountText(asset, toNumber(asset, minor))} ${t(`exchange.${asset}`)}`;
    return { amount: text(from, leastExchange(from, rate)), receive: text(to, 1n) };
  }

  function faultText(kind: NonNullable<typeof fault>): string {
    if (kind === 'small') return t('exchange.tooSmall');
    if (kind === 'precise') return t('exchange.tooPrecise', { decimals: DECIMALS[from] });
    return t(from === 'points' ? 'exchange.insufficientPoints' : 'exchange.insufficientToken');
  }
}

function Have({ type, children }: { type: ExchangeType; children: string | null }) {
  const { t } = useTranslation();
  return (
    <div className="min-w-0">
      <dt className="text-fg-3 text-xs">
        {t('exchange.unit', { label: t('exchange.have'), unit: t(`exchange.${type}`) })}
      </dt>
      <dd className="truncate font-mono">{children ?? <Skeleton className="h-5 w-20" />}</dd>
    </div>
  );
}

/** Sends an exchange; a retry keeps its key, so that it is executed once. */
function useExchange(from: ExchangeType, onDone: () => void) {
  const { t } = useTranslation();
  const to = otherOf(from);
  return useCommand({
    send: async (amount: number, idempotencyKey) => {
      const body = { from_type: from, to_type: to, amount };
      const result = await api.call('exchange', { body, idempotencyKey });
      const received = to === 'token' ? result?.tokens_received : result?.points_received;
      if (result?.success !== true || typeof received !== 'number') throw new NoResult();
      return { result, received };
    },
    onDone: ({ result, received }) => {
      balances.accept(result);
      refreshPlayerData();
      const amount = `${amountText(to, received)} ${t(`exchange.${to}`)}`;
      toast(t('exchange.done', { amount }), 'good', undefined, 'exchanged');
      onDone();
    },
    onFailed: (error) => toast(reasonOf(error), 'bad'),
  });

  /** The specification's text for an insufficient balance; else the heading and the reason. */
  function reasonOf(error: unknown): string {
    if (error instanceof NoResult) return t('exchange.noResult');
    const why = error instanceof Error ? error.message : '';
    if (/^insufficient points balance/i.test(why)) return t('exchange.insufficientPoints');
    if (/^insufficient token balance/i.test(why)) return t('exchange.insufficientToken');
    return t('exchange.failed', { why: refusalText(error) || why || t('exchange.unknown') });
  }
}

/** A response, but not the one that the specification names. */
class NoResult extends Error {
  override readonly name = 'NoResult';
}
