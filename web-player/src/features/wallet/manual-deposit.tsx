import { toNumber } from '@reelbook/ledger/money';
import { readAmount } from '@reelbook/web/amount';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Field } from '@reelbook/web/components/field';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PendingDeposit } from './pending-deposit.ts';

const HASH_MIN_LENGTH = 32;
const HASH_MAX_LENGTH = 200;
const MAX_BSM = 1_000_000;

/** Reports a transaction that was sent already; prefilled with a deposit of this browser that was not reported. */
export function ManualDeposit(props: {
  left: PendingDeposit | null;
  onReport(amount: number, hash: string): Promise<boolean>;
}) {
  const { left, onReport } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(left ? String(left.amount) : '');
  const [hash, setHash] = useState(left?.hash ?? '');
  const { busy, send } = useCommand({
    send: (sent: { amount: number; hash: string }) => onReport(sent.amount, sent.hash),
    onDone: (isReported) => {
      if (!isReported) return;
      setText('');
      setHash('');
    },
  });
  function report(): void {
    const amount = readAmount('token', text);
    const trimmed = hash.trim();
    if (typeof amount !== 'bigint' || toNumber('token', amount) > MAX_BSM) {
      toast(t('deposit.invalidAmount'), 'bad');
    } else if (trimmed.length < HASH_MIN_LENGTH) {
      toast(t('deposit.invalidHash'), 'bad');
    } else {
      send({ amount: toNumber('token', amount), hash: trimmed });
    }
  }
  return (
    <Card title={t('deposit.manualTitle')}>
      <p className="mb-3 text-fg-2 text-sm">{t(left ? 'deposit.manualLeft' : 'deposit.manual')}</p>
      <form
        className="grid items-start gap-x-4 *:min-w-0 md:grid-cols-[1fr_2fr]"
        onSubmit={(event) => {
          event.preventDefault();
          report();
        }}
      >
        <AmountField label={t('deposit.amount')} value={text} onChange={setText} disabled={busy} />
        <Field
          tall
          label={t('deposit.hash')}
          value={hash}
          maxLength={HASH_MAX_LENGTH}
          onChange={setHash}
        />
        <Button type="submit" className="mt-4 min-h-12 md:col-span-2 md:mt-0" disabled={busy}>
          {t(busy ? 'exchange.processing' : 'deposit.report')}
        </Button>
      </form>
    </Card>
  );
}
