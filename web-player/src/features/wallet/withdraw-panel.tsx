import { toMinor, toNumber, toText } from '@reelbook/ledger/money';
import { heldMinor, readAmount, typedAmount } from '@reelbook/web/amount';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import { Card, Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { Field } from '@reelbook/web/components/field';
import { amountText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { balances } from '../../lib/balances-store.ts';
import { systemConfig } from '../../lib/queries.ts';
import { needsConfirmation, useWithdraw } from './use-withdraw.ts';
import { FEE_RATE_DEFAULT, withdrawal } from './withdrawal.ts';

const ADDRESS_MAX_LENGTH = 64;

/** Withdraws BSM to a wallet; shows fee and net amount before. */
export function WithdrawPanel({ wallet }: { wallet: string }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [to, setTo] = useState(wallet);
  const held = useStore(balances);
  const { data: system } = useQuery(systemConfig);
  const rate = system?.withdraw_fee_rate ?? FEE_RATE_DEFAULT;
  const ownMinor = held ? heldMinor('token', held.token) : 0n;
  const amount = readAmount('token', text);
  const amountMinor = typeof amount === 'bigint' ? amount : null;
  const minMinor = heldMinor('token', system?.min_withdraw ?? 0);
  const isUnder = amountMinor !== null && amountMinor < minMinor;
  const isOver = amountMinor !== null && amountMinor > ownMinor;
  const { busy, withdraw, stop, unsigned, sendUnsigned, drop } = useWithdraw(wallet, () =>
    setText(''),
  );
  const isElsewhere = needsConfirmation(to.trim(), wallet);
  const canSend = amountMinor !== null && !isOver && !isUnder && to.trim() !== '' && !busy;
  const { feeMinor, netMinor } = withdrawal(amountMinor ?? 0n, rate);
  const shown = (minor: bigint) => `${amountText('token', toNumber('token', minor))} BSM`;
  return (
    <Card
      title={t('withdraw.title')}
      aside={t('withdraw.fee', { percent: Math.round(rate * 10_000) / 100 })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend)
            void withdraw({ amount: toNumber('token', amountMinor), to_address: to.trim() });
        }}
      >
        <AmountField
          label={t('deposit.amount')}
          value={text}
          onChange={setText}
          disabled={busy}
          error={
            isOver
              ? t('exchange.insufficientToken')
              : isUnder
                ? t('withdraw.minimum', { amount: shown(minMinor) })
                : null
          }
          aside={
            <Button
              className="min-h-10 px-3 font-mono text-sm"
              disabled={ownMinor === 0n || busy}
              onClick={() => setText(typedAmount('token', ownMinor))}
            >
              {t('exchange.max')}
            </Button>
          }
        />
        <Field
          tall
          label={t('withdraw.to')}
          value={to}
          maxLength={ADDRESS_MAX_LENGTH}
          onChange={setTo}
        />
        {isElsewhere && <p className="mt-2 text-fg-2 text-sm">{t('withdraw.elsewhere')}</p>}
        <dl className="mt-3">
          <Line label={t('withdraw.minLine')}>{shown(minMinor)}</Line>
          <Line label={t('withdraw.feeLine')}>{shown(feeMinor)}</Line>
          <Line label={t('withdraw.net')}>{shown(netMinor)}</Line>
        </dl>
        <Button look="primary" type="submit" className="mt-3 min-h-12 w-full" disabled={!canSend}>
          {t(stop ? 'withdraw.signing' : busy ? 'exchange.processing' : 'withdraw.submit')}
        </Button>
        {stop && (
          <Button className="mt-3 w-full" onClick={stop}>
            {t('deposit.stop')}
          </Button>
        )}
      </form>
      {unsigned && (
        <Dialog title={t('withdraw.unsignedTitle')} onClose={drop}>
          <p className="text-fg-2">{t('withdraw.unsigned')}</p>
          <dl className="mt-3 mb-5">
            <Line label={t('deposit.amount')}>
              {toText('token', toMinor('token', unsigned.amount) ?? 0n)}
            </Line>
            <Line label={t('withdraw.to')}>
              <span className="break-all">{unsigned.to_address}</span>
            </Line>
          </dl>
          <div className="grid gap-3 sm:grid-cols-2">
            <Button onClick={() => sendUnsigned(unsigned)}>{t('withdraw.sendUnsigned')}</Button>
            <Button look="primary" onClick={() => void withdraw(unsigned)}>
              {t('withdraw.signAgain')}
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}
