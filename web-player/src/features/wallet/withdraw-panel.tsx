import { toMinor, toNumber, toText } from '@reelbook/ledger/money';
import { WALLET_PATTERN } from '@reelbook/ledger/streams';
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
import { needsConfirmation, useWithdraw, type Withdrawal } from './use-withdraw.ts';
import { FEE_RATE_DEFAULT, withdrawal } from './withdrawal.ts';

const ADDRESS_MAX_LENGTH = 64;

/** Withdraws BSM to a wallet, after a review of address, fee and net amount. */
export function WithdrawPanel({ wallet }: { wallet: string }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [to, setTo] = useState(wallet);
  const [isReviewing, setReviewing] = useState(false);
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
  const isAddress = WALLET_PATTERN.test(to.trim());
  const canSend = amountMinor !== null && !isOver && !isUnder && isAddress && !busy;
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
          if (canSend) setReviewing(true);
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
          error={to.trim() === '' || isAddress ? null : t('withdraw.noAddress')}
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
      {isReviewing && canSend && (
        <Dialog title={t('withdraw.reviewTitle')} onClose={() => setReviewing(false)}>
          <dl>
            <Line label={t('withdraw.to')}>
              <span className="break-all">{to.trim()}</span>
            </Line>
            <Line label={t('withdraw.deducted')}>{shown(amountMinor)}</Line>
            <Line label={t('withdraw.feeLine')}>{shown(feeMinor)}</Line>
            <Line label={t('withdraw.net')}>{shown(netMinor)}</Line>
          </dl>
          <p className="mt-3 mb-5 text-fg-2 text-sm">
            {t(isElsewhere ? 'withdraw.elsewhere' : 'withdraw.arrival')}
          </p>
          <div className="grid gap-3 sm:grid-cols-2">
            <Button onClick={() => setReviewing(false)}>{t('common.cancel')}</Button>
            <Button
              look="primary"
              onClick={() => {
                setReviewing(false);
                void withdraw({ amount: toNumber('token', amountMinor), to_address: to.trim() });
              }}
            >
              {t('withdraw.confirm')}
            </Button>
          </div>
        </Dialog>
      )}
      {unsigned && (
        <Unsigned of={unsigned} onClose={drop} onSend={sendUnsigned} onSign={withdraw} />
      )}
    </Card>
  );
}

/** The wallet has not signed a withdrawal to another address: send it for review, sign again, or neither. */
function Unsigned(props: {
  of: Withdrawal;
  onClose(): void;
  onSend(of: Withdrawal): void;
  onSign(of: Withdrawal): Promise<void>;
}) {
  const { of, onClose, onSend, onSign } = props;
  const { t } = useTranslation();
  return (
    <Dialog title={t('withdraw.unsignedTitle')} onClose={onClose}>
      <p className="text-fg-2">{t('withdraw.unsigned')}</p>
      <dl className="mt-3 mb-5">
        <Line label={t('deposit.amount')}>
          {toText('token', toMinor('token', of.amount) ?? 0n)}
        </Line>
        <Line label={t('withdraw.to')}>
          <span className="break-all">{of.to_address}</span>
        </Line>
      </dl>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button onClick={() => onSend(of)}>{t('withdraw.sendUnsigned')}</Button>
        <Button look="primary" onClick={() => void onSign(of)}>
          {t('withdraw.signAgain')}
        </Button>
      </div>
    </Dialog>
  );
}
