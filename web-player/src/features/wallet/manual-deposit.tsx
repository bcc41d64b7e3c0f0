import { toNumber } from '@reelbook/ledger/money';
import { readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Field } from '@reelbook/web/components/field';
import { formatInteger } from '@reelbook/web/format';
import { isTransient, useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AmountField } from '../../components/amount-field.tsx';
import { api } from '../../lib/api.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { systemConfig } from '../../lib/queries.ts';
import { askUntilKnown, type Checked } from '../../lib/unconfirmed.ts';
import { reportFault } from './deposit-fault.ts';
import {
  CREDITED,
  isCredited,
  MAX_DEPOSIT_DEFAULT,
  MIN_DEPOSIT_DEFAULT,
  type useDeposit,
} from './use-deposit.ts';

const HASH_MIN_LENGTH = 32;
const HASH_MAX_LENGTH = 200;

/** Reports a transaction that was sent already, again until the server responds. */
export function ManualDeposit({ of }: { of: ReturnType<typeof useDeposit> }) {
  const { t } = useTranslation();
  const { data: system } = useQuery(systemConfig);
  const min = system?.min_deposit ?? MIN_DEPOSIT_DEFAULT;
  const max = system?.max_deposit ?? MAX_DEPOSIT_DEFAULT;
  const [text, setText] = useState('');
  const [hash, setHash] = useState('');
  const [error, setError] = useState<{ field: 'amount' | 'hash'; text: string } | null>(null);
  const [checked, setChecked] = useState<Checked>('checking');
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);
  const { busy, send } = useCommand({
    send(sent: { amount: number; hash: string }) {
      left.current = new AbortController();
      const { signal } = left.current;
      const body = { amount: sent.amount, tx_hash: sent.hash };
      const asking = { signal, onChecked: setChecked };
      const report = async () => {
        try {
          return await api.call('deposit', { body, signal });
        } catch (error) {
          if (isTransient(error) && (await isCredited(sent.hash, signal))) return CREDITED;
          throw error;
        }
      };
      return askUntilKnown(report, asking);
    },
    onDone(result) {
      of.showReported(result);
      setText('');
      setHash('');
    },
    onFailed(error) {
      askIfProtected(error);
      if (!left.current?.signal.aborted) of.showDepositFault(reportFault(error, { manual: true }));
    },
  });
  function report(): void {
    const amount = readAmount('token', text);
    const trimmed = hash.trim();
    if (typeof amount !== 'bigint') {
      setError({ field: 'amount', text: t('deposit.invalidAmount') });
    } else if (toNumber('token', amount) > max) {
      const most = { max: formatInteger(max) };
      setError({ field: 'amount', text: t('deposit.fault.aboveMaximum', most) });
    } else if (trimmed.length < HASH_MIN_LENGTH) {
      setError({ field: 'hash', text: t('deposit.invalidHash') });
    } else {
      setError(null);
      setChecked('checking');
      send({ amount: toNumber('token', amount), hash: trimmed });
    }
  }
  return (
    <Card title={t('deposit.manualTitle')}>
      <p className="mb-3 text-fg-2 text-sm">{t('deposit.manual')}</p>
      <form
        className="grid items-start gap-x-4 *:min-w-0 md:grid-cols-[1fr_2fr]"
        onSubmit={(event) => {
          event.preventDefault();
          report();
        }}
      >
        <AmountField
          label={t('deposit.amount')}
          asset="token"
          value={text}
          onChange={(typed) => {
            setText(typed);
            setError(null);
          }}
          disabled={busy}
          error={error?.field === 'amount' ? error.text : null}
          hint={t('deposit.hint', { min: formatInteger(min), max: formatInteger(max) })}
        />
        <Field
          tall
          label={t('deposit.hash')}
          value={hash}
          maxLength={HASH_MAX_LENGTH}
          error={error?.field === 'hash' ? error.text : null}
          onChange={setHash}
        />
        <Button type="submit" className="mt-4 min-h-12 md:col-span-2 md:mt-0" disabled={busy}>
          {t(busy ? 'exchange.processing' : 'deposit.report')}
        </Button>
        {busy && checked === 'offline' && (
          <p className="mt-2 text-fg-2 text-sm md:col-span-2" role="status">
            {t('deposit.reportUnconfirmed')} {t('unconfirmed.offline')}
          </p>
        )}
      </form>
    </Card>
  );
}
