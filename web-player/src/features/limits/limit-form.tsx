import type { LimitBody, Protection } from '@reelbook/contract/player/protection';
import { DECIMALS, toNumber } from '@reelbook/ledger/money';
import { readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Select } from '@reelbook/web/components/select';
import { amountText, clockTime } from '@reelbook/web/format';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/amount-field.tsx';
import { api } from '../../lib/api.ts';
import { useProtect } from './use-protect.ts';

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
          label={t('limits.periodLabel')}
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
