import type { LimitState } from '@reelbook/contract/player/protection';
import { Empty } from '@reelbook/web/components/states';
import { amountText, clockTime } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { useProtect } from './use-protect.ts';

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
  const name = `${t(`limits.kind.${limit}`)}, ${t(`limits.period.${period}`)}`;
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
