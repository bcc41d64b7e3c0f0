import type {
  ExclusionBody,
  LimitBody,
  LimitState,
  Protection,
} from '@reelbook/contract/player/protection';
import { DECIMALS, toNumber } from '@reelbook/ledger/money';
import { readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { Select } from '@reelbook/web/components/select';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { amountText, clockTime } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { isUnconfirmed, useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/amount-field.tsx';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { askProtection, keepProtection, protection } from '../../lib/protection.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { session } from '../../lib/session-store.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { SessionCard } from './session-card.tsx';

/** Sends one change and shows the recorded result; a refusal is shown with its reason. */
function useProtect<Input = void>(options: {
  send(input: Input): Promise<Protection>;
  /** Text shown after success. */
  done: string | ((known: Protection) => string);
  /** The kind of the notification of the change. */
  topic?: string;
  onDone?(): void;
}) {
  const { t } = useTranslation();
  return useCommand({
    send: options.send,
    onDone: (known) => {
      keepProtection(known);
      const { done } = options;
      toast(typeof done === 'string' ? done : done(known), 'good', undefined, options.topic);
      options.onDone?.();
    },
    onFailed: (error) => {
      if (!isUnconfirmed(error)) return toast(refusalText(error), 'bad');
      toast(t('limits.unknown'), 'bad');
      askProtection();
    },
  });
}

const TERMS = [
  '24h',
  '7d',
  '30d',
  '180d',
  'permanent',
] as const satisfies readonly ExclusionBody['term'][];

/** Self-exclusion, which cannot be revoked; confirmed in a dialog. */
export function Exclusion() {
  const { t } = useTranslation();
  const [term, setTerm] = useState<ExclusionBody['term']>('24h');
  const [asking, setAsking] = useState(false);
  const { busy, send } = useProtect({
    send: () => api.call('excludeSelf', { body: { term } }),
    done: t('exclusion.done'),
    topic: term === 'permanent' ? 'self-excluded-for-good' : 'self-excluded',
    onDone: () => setAsking(false),
  });
  return (
    <Card title={t('exclusion.title')}>
      <p className="mb-3 text-fg-2 text-sm">{t('exclusion.text')}</p>
      <Select<ExclusionBody['term']>
        label={t('exclusion.term')}
        value={term}
        onChange={setTerm}
        options={TERMS.map((one) => [one, t(`exclusion.terms.${one}`)] as const)}
      />
      <Button look="danger" className="mt-3 w-full" onClick={() => setAsking(true)}>
        {t('exclusion.submit')}
      </Button>
      {asking && (
        <Dialog title={t('exclusion.confirmTitle')} onClose={() => setAsking(false)}>
          <p className="mb-2">{t('exclusion.confirm', { term: t(`exclusion.terms.${term}`) })}</p>
          <p className="mb-5 text-fg-2 text-sm">{t('exclusion.stays')}</p>
          <div className="grid grid-cols-2 gap-3">
            <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
            <Button look="danger" disabled={busy} onClick={() => send()}>
              {t('exclusion.yes')}
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}

const KINDS = ['loss', 'wager', 'deposit'] as const satisfies readonly LimitBody['limit'][];
const PERIODS = ['day', 'week', 'month'] as const satisfies readonly LimitBody['period'][];

/** Sets one limit: a tighter one applies immediately, a looser one after a day. */
export function LimitForm() {
  const { t } = useTranslation();
  const [limit, setLimit] = useState<LimitBody['limit']>('loss');
  const [period, setPeriod] = useState<LimitBody['period']>('day');
  const [text, setText] = useState('');
  const { busy, send } = useProtect({
    send: (value: number) => api.call('setLimit', { body: { limit, period, amount: value } }),
    done: doneText,
    onDone: () => setText(''),
  });
  const asset = limit === 'deposit' ? 'token' : 'points';
  /** A looser limit is not in force yet. */
  function doneText({ limits }: Protection): string {
    const pending = limits.find((one) => one.limit === limit && one.period === period)?.pending;
    if (!pending?.amount) return t('limits.set');
    const to = `${amountText(asset, pending.amount)} ${t(`exchange.${asset}`)}`;
    return t('limits.pending', { amount: to, from: clockTime(pending.holds_from) });
  }
  const amount = readAmount(asset, text);
  const minor = amount === 'zero' ? 0n : amount;
  const canSend = !busy && typeof minor === 'bigint';
  return (
    <form
      className="border-line border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) send(toNumber(asset, minor));
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Select<LimitBody['limit']>
          label={t('limits.kindLabel')}
          value={limit}
          onChange={setLimit}
          options={KINDS.map((kind) => [kind, t(`limits.kind.${kind}`)] as const)}
        />
        <Select<LimitBody['period']>
          label={t('eventField.period')}
          value={period}
          onChange={setPeriod}
          options={PERIODS.map((one) => [one, t(`limits.period.${one}`)] as const)}
        />
      </div>
      <div className="mt-3 grid items-start gap-x-3 sm:grid-cols-[1fr_auto]">
        <AmountField
          label={t('exchange.unit', { label: t('limits.amount'), unit: t(`exchange.${asset}`) })}
          asset={asset}
          value={text}
          onChange={setText}
          hint={t('limits.hint', {
            bounds: t('bounds.limit', { decimals: DECIMALS[asset] }),
            rule: t('limits.rule'),
          })}
        />
        <div className="grid max-sm:mt-3">
          {/* As tall as the label of the field. */}
          <span className="mb-1 max-sm:hidden">&nbsp;</span>
          <Button look="primary" type="submit" className="min-h-14" disabled={!canSend}>
            {t('limits.submit')}
          </Button>
        </div>
      </div>
    </form>
  );
}

const assetOf = (limit: LimitState['limit']) => (limit === 'deposit' ? 'token' : 'points');

/** The limits, how much of each is used, and pending changes. */
export function LimitRows({ limits }: { limits: readonly LimitState[] }) {
  const { t } = useTranslation();
  if (limits.length === 0) return <Empty>{t('limits.none')}</Empty>;
  return (
    <ul className="mb-4">
      {limits.map((one) => (
        <Row key={`${one.limit} ${one.period}`} one={one} />
      ))}
    </ul>
  );
}

function Row({ one }: { one: LimitState }) {
  const { t } = useTranslation();
  const { limit, period, pending } = one;
  const keep = useProtect({
    send: () => api.call('cancelLimitChange', { body: { limit, period } }),
    done: t('limits.cancelled'),
  });
  const remove = useProtect({
    send: () => api.call('setLimit', { body: { limit, period, amount: null } }),
    done: t('limits.removing'),
  });
  const asset = assetOf(limit);
  const text = (amount: number) => `${amountText(asset, amount)} ${t(`exchange.${asset}`)}`;
  const share = one.amount === 0 ? 1 : Math.min(1, Math.max(0, one.used / one.amount));
  const name = `${t(`limits.kind.${limit}`)} · ${t(`limits.period.${period}`)}`;
  return (
    <li className="border-line border-b py-3 last:border-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{name}</span>
        <span className="font-mono text-sm">{text(one.amount)}</span>
      </div>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="my-2 h-1.5 overflow-hidden rounded-full bg-ink-3"
      >
        <div className="h-full rounded-full bg-brass" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-fg-3 text-xs">
        {t(`limits.used.${limit}`, { used: text(one.used) })}{' '}
        {one.left > 0 ? (
          t('limits.left', { left: text(one.left), until: clockTime(one.resets_at) })
        ) : (
          <strong className="font-medium text-coral">
            {t('limits.reached', { until: clockTime(one.resets_at) })}
          </strong>
        )}
      </p>
      {pending ? (
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-brass text-sm">
          {pending.amount === null
            ? t('limits.pendingRemoval', { from: clockTime(pending.holds_from) })
            : t('limits.pending', {
                amount: text(pending.amount),
                from: clockTime(pending.holds_from),
              })}
          <button
            type="button"
            disabled={keep.busy}
            className="min-h-11 font-semibold underline"
            onClick={() => keep.send()}
          >
            {t('limits.cancelPending')}
          </button>
        </p>
      ) : (
        <button
          type="button"
          disabled={remove.busy}
          className="min-h-11 font-medium text-fg-2 text-sm hover:text-fg"
          aria-label={`${t('limits.remove')}: ${name}`}
          onClick={() => remove.send()}
        >
          {t('limits.remove')}
        </button>
      )}
    </li>
  );
}

const MINUTES = [15, 30, 60, 120, 240] as const;
const NEVER = 'never';

/** How often the player wants a reminder of the time played. */
export function RealityCheckForm({ check }: { check: Protection['reality_check'] }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<string>();
  const { send } = useProtect({
    send: (minutes: number | null) =>
      api.call('setRealityCheck', { body: { interval_minutes: minutes } }),
    done: t('reality.saved'),
    onDone: () => choose(undefined),
  });
  const now = check.interval_minutes;
  const value = chosen ?? (now === null ? NEVER : String(now));
  const all = [...new Set([now ?? MINUTES[0], ...MINUTES])].sort((a, b) => a - b);
  const options = [
    [NEVER, t('reality.never')] as const,
    ...all.map((minutes) => [String(minutes), t('reality.every', { minutes })] as const),
  ];
  return (
    <Card title={t('reality.title')}>
      <p className="mb-3 text-fg-2 text-sm">{t('reality.settingText')}</p>
      <Select label={t('reality.interval')} value={value} options={options} onChange={choose} />
      <Button className="mt-3 w-full" onClick={() => send(value === NEVER ? null : Number(value))}>
        {t('reality.submit')}
      </Button>
    </Card>
  );
}

/** The player's own protection: limits, exclusion and reminders, all recorded in the ledger. */
export function Limits() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) return <Visitor title={t('nav.limits')}>{t('limits.visitor')}</Visitor>;
  return (
    <>
      <h1 className="text-2xl">{t('nav.limits')}</h1>
      <p className="mt-1 mb-5 max-w-[640px] text-fg-2">{t('limits.lead')}</p>
      <Settings key={signedIn.user.wallet_address} />
    </>
  );
}

function Settings() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(protection);
  const closed = useClosed();
  if (!data) {
    return (
      <Card title={t('limits.title')}>
        {isError ? <LoadFailed retry={() => void refetch()} /> : <SkeletonRows count={6} />}
      </Card>
    );
  }
  return (
    <>
      {closed && (
        <div className="mb-4 lg:mb-6">
          <ClosedPanel closed={closed} />
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px] lg:gap-6">
        <div className="grid gap-4 lg:gap-6">
          <Card title={t('limits.title')}>
            <LimitRows limits={data.limits} />
            <LimitForm />
          </Card>
          <SessionCard />
        </div>
        <div className="grid gap-4 lg:gap-6">
          <RealityCheckForm check={data.reality_check} />
          <Exclusion />
        </div>
      </div>
    </>
  );
}
