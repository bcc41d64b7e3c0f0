import type { ExchangeType } from '@reelbook/contract/player/wallet';
import { toNumber, unit } from '@reelbook/ledger/money';
import { heldMinor, readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { Skeleton } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { amountText } from '@reelbook/web/format';
import { deviceStorage } from '@reelbook/web/storage';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField, MaxButton } from '../../components/amount-field.tsx';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { createPendingCommands } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { exchangeRates, systemConfig } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { useKeptCommand } from '../../lib/use-kept-command.ts';

/** Maximum decimals of a displayed rate; the server's rates are exact fractions. */
const RATE_UNIT = 1_000_000_000_000;

/** The typed amount, checked; null while the text is none. Amounts in minor units. */
interface ExchangeDraft {
  amountMinor: bigint | null;
  /** The amount received, rounded down as the server does; null while it is unknown, or if the balance is too small. */
  receiveMinor: bigint | null;
  fault: 'insufficient' | 'small' | null;
}

/** Recalculated whenever amount, direction, rate or balance changes. */
export function draftExchange(options: {
  from: ExchangeType;
  text: string;
  /** Null while it is unknown. */
  heldMinor: bigint | null;
  /** Units of the other currency for one of `from`; undefined while it loads. */
  rate: number | undefined;
}): ExchangeDraft {
  const amount = readAmount(options.from, options.text);
  if (typeof amount === 'string') {
    return { amountMinor: null, receiveMinor: null, fault: null };
  }
  if (options.heldMinor !== null && amount > options.heldMinor) {
    return { amountMinor: amount, receiveMinor: null, fault: 'insufficient' };
  }
  const receiveMinor =
    options.rate === undefined ? null : receiving(options.from, amount, options.rate);
  if (receiveMinor === 0n) return { amountMinor: amount, receiveMinor: null, fault: 'small' };
  return { amountMinor: amount, receiveMinor, fault: null };
}

const otherOf = (type: ExchangeType): ExchangeType => (type === 'points' ? 'token' : 'points');

/** The smallest amount for which the other currency has a minor unit to give. */
export function leastExchange(from: ExchangeType, rate: number): bigint {
  const given = BigInt(Math.round(rate * RATE_UNIT)) * unit(otherOf(from));
  if (given <= 0n) return 1n;
  const needed = unit(from) * BigInt(RATE_UNIT);
  return (needed + given - 1n) / given;
}

function receiving(from: ExchangeType, amountMinor: bigint, rate: number): bigint {
  const rateUnits = BigInt(Math.round(rate * RATE_UNIT));
  return (amountMinor * rateUnits * unit(otherOf(from))) / (unit(from) * BigInt(RATE_UNIT));
}

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
    <Dialog
      title={t('exchange.title')}
      onClose={onClose}
      // On a phone the keyboard would cover the balances.
      focusesField={matchMedia('(pointer: fine)').matches}
    >
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
        aside={<MaxButton asset={from} most={ownMinor} disabled={busy} onChoose={setText} />}
        hint={
          rate !== undefined &&
          `${t(from === 'points' ? 'exchange.ratePoints' : 'exchange.rateToken', { rate })} · ${t('bounds.exchangeMin', { amount: leastText(from, rate) })}`
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
          {t(busy ? 'exchange.processing' : 'exchange.title')}
        </Button>
      </div>
    </form>
  );

  function leastText(asset: ExchangeType, rate: number): string {
    const least = toNumber(asset, leastExchange(asset, rate));
    return `${amountText(asset, least)} ${t(`exchange.${asset}`)}`;
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
