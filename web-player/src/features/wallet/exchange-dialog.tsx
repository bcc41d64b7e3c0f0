import type { ExchangeType } from '@reelbook/contract/player/wallet';
import { toNumber } from '@reelbook/ledger/money';
import { heldMinor, typedAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { Skeleton } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { amountText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/amount-field.tsx';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { balances } from '../../lib/balances-store.ts';
import { exchangeRates, systemConfig } from '../../lib/queries.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { draftExchange, leastExchange, otherOf } from './exchange.ts';
import { ExchangeNotice, type useExchange } from './use-exchange.tsx';

const DIRECTIONS = ['points', 'token'] as const satisfies readonly ExchangeType[];

type Exchanging = ReturnType<typeof useExchange>;

/** Exchanges points for BSM or BSM for points; shows both sides before. Closes after an exchange. */
export function ExchangeDialog(props: { exchanging: Exchanging; onClose(): void }) {
  const { exchanging, onClose } = props;
  const { t } = useTranslation();
  const [from, setFrom] = useState<ExchangeType>('points');
  const { data: system } = useQuery(systemConfig);
  const closed = useClosed(system && { enabled: system.exchange_enabled });
  const { done } = exchanging;
  const doneBefore = useRef(done);
  useEffect(() => {
    if (done !== doneBefore.current) onClose();
  }, [done, onClose]);
  if (exchanging.state.phase === 'unconfirmed') {
    return (
      <Dialog title={t('exchange.title')} onClose={onClose}>
        <ExchangeNotice of={exchanging} />
      </Dialog>
    );
  }
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
        {closed && (from === 'token' || closed.why === 'paused') ? (
          <ClosedPanel closed={closed} />
        ) : (
          <ExchangeForm key={from} from={from} exchanging={exchanging} onClose={onClose} />
        )}
      </Tabs>
    </Dialog>
  );
}

function ExchangeForm(props: { from: ExchangeType; exchanging: Exchanging; onClose(): void }) {
  const { from, exchanging, onClose } = props;
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const held = useStore(balances);
  const { data: rates, isError, refetch } = useQuery(exchangeRates);
  const busy = exchanging.state.phase === 'sending';
  const to = otherOf(from);
  const ownMinor = held && heldMinor(from, from === 'points' ? held.points : held.token);
  const rate = rates && (from === 'points' ? rates.points_to_tokens : rates.tokens_to_points);
  const { amountMinor, receiveMinor, fault } = draftExchange({
    from,
    text,
    heldMinor: ownMinor,
    rate,
  });
  const canSend =
    held !== null && amountMinor !== null && fault === null && rate !== undefined && !busy;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) exchanging.send({ from, amount: toNumber(from, amountMinor), rate });
      }}
    >
      <dl className="mb-4 grid grid-cols-2 gap-3 rounded-md border border-line bg-ink-2 px-4 py-3">
        <Have type="points">{held && amountText('points', held.points)}</Have>
        <Have type="token">{held && amountText('token', held.token)}</Have>
      </dl>
      <AmountField
        label={t('exchange.unit', { label: t('exchange.give'), unit: t(`exchange.${from}`) })}
        asset={from}
        value={text}
        onChange={setText}
        disabled={busy}
        error={fault && faultText(fault)}
        aside={
          <Button
            className="min-h-10 px-3 font-mono text-sm"
            disabled={!ownMinor || busy}
            onClick={() => ownMinor && setText(typedAmount(from, ownMinor))}
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
