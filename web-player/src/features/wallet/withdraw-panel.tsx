import type { SystemConfig } from '@reelbook/contract/player/configuration';
import { toMinor, toNumber, toText } from '@reelbook/ledger/money';
import { heldMinor, readAmount, typedAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Card, Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { Field } from '@reelbook/web/components/field';
import { amountText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { AmountField } from '../../components/amount-field.tsx';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { balances } from '../../lib/balances-store.ts';
import { paths, paymentPath } from '../../lib/paths.ts';
import { systemConfig } from '../../lib/queries.ts';
import { NO_CHAIN } from '../../lib/use-closed.ts';
import { useAddressFault } from './use-address-fault.ts';
import { useDialog } from './use-dialog.ts';
import { needsConfirmation, useWithdraw, type Withdrawal } from './use-withdraw.ts';
import { FEE_RATE_DEFAULT, withdrawal } from './withdrawal.ts';

const ADDRESS_MAX_LENGTH = 64;

/** Withdraws BSM to a wallet, after a review of address, fee and net amount. */
export function WithdrawPanel({ wallet }: { wallet: string }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [to, setTo] = useState(wallet);
  const { system, rate, ownMinor, minMinor, amountMinor, fault, feeMinor, netMinor } =
    useFigures(text);
  const sending = useWithdraw(wallet, useShowPayment());
  const { busy, withdraw, stop, unsigned, sendUnsigned, drop } = sending;
  const isElsewhere = needsConfirmation(to.trim(), wallet);
  const netLabel = t(isElsewhere ? 'withdraw.netElsewhere' : 'withdraw.net');
  const addressFault = useAddressFault(to.trim(), wallet);
  const isAmount = amountMinor !== null && ownMinor !== null && fault === null;
  const canSend = isAmount && to.trim() !== '' && addressFault === null && !busy;
  const [isReviewing, setReviewing] = useDialog<true>(canSend);
  if (system?.network === null) {
    return (
      <Card title={t('withdraw.title')}>
        <Unconfirmed of={sending} />
        <ClosedPanel closed={NO_CHAIN} />
      </Card>
    );
  }
  return (
    <Card
      title={t('withdraw.title')}
      aside={t('withdraw.fee', { percent: Math.round(rate * 10_000) / 100 })}
    >
      {system?.withdrawals_enabled === false && (
        <p className="mb-3 rounded-md bg-brass-soft px-4 py-2 text-sm">{t('withdraw.paused')}</p>
      )}
      <Unconfirmed of={sending} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) setReviewing(true);
        }}
      >
        <AmountField
          label={t('deposit.amount')}
          asset="token"
          value={text}
          onChange={setText}
          disabled={busy}
          error={fault && t(fault, { amount: shown(minMinor) })}
          aside={
            <Button
              className="min-h-10 px-3 font-mono text-sm"
              disabled={!ownMinor || busy}
              onClick={() => ownMinor && setText(typedAmount('token', ownMinor))}
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
          error={addressFault && t(addressFault)}
          onChange={setTo}
        />
        {isElsewhere && addressFault === null && (
          <p className="mt-2 text-fg-2 text-sm">{t('withdraw.elsewhere')}</p>
        )}
        <dl className="mt-3">
          <Line label={t('withdraw.minLine')}>{shown(minMinor)}</Line>
          <Line label={t('withdraw.feeLine')}>{isAmount ? shown(feeMinor) : '–'}</Line>
          <Line label={netLabel}>{isAmount ? shown(netMinor) : '–'}</Line>
        </dl>
        {system && <Bounds system={system} />}
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
        <Review
          to={to.trim()}
          figures={[
            [t('withdraw.deducted'), shown(amountMinor)],
            [t('withdraw.feeLine'), shown(feeMinor)],
            [netLabel, shown(netMinor)],
          ]}
          isElsewhere={isElsewhere}
          onClose={() => setReviewing(null)}
          onConfirm={() => {
            setReviewing(null);
            const amount = toNumber('token', amountMinor);
            void withdraw({ amount, to_address: to.trim(), fee_rate: rate });
          }}
        />
      )}
      {unsigned && (
        <Unsigned of={unsigned} onClose={drop} onSend={sendUnsigned} onSign={withdraw} />
      )}
    </Card>
  );
}

/** Opens the page of a payment. A late result changes no other page. */
function useShowPayment() {
  const navigate = useNavigate();
  return (id: string) => {
    if (location.pathname === paths.wallet) void navigate(paymentPath(id));
  };
}

const shown = (minor: bigint) => `${amountText('token', toNumber('token', minor))} BSM`;

function Unconfirmed({ of }: { of: ReturnType<typeof useWithdraw> }) {
  const { state, discard } = of;
  if (state.phase !== 'unconfirmed') return null;
  const { pending, checked } = state;
  return (
    <UnconfirmedNotice
      kind="withdrawal"
      amount={`${amountText('token', pending.amount)} BSM`}
      atMs={pending.atMs}
      checked={checked}
      onDiscard={discard}
    />
  );
}

/** The typed amount with its fee, and why it cannot be withdrawn. */
function useFigures(text: string) {
  const held = useStore(balances);
  const { data: system } = useQuery(systemConfig);
  const rate = system?.withdraw_fee_rate ?? FEE_RATE_DEFAULT;
  const ownMinor = held && heldMinor('token', held.token);
  const minMinor = heldMinor('token', system?.min_withdraw ?? 0);
  const amount = readAmount('token', text);
  const amountMinor = typeof amount === 'bigint' ? amount : null;
  let fault: 'exchange.insufficientToken' | 'withdraw.minimum' | null = null;
  if (amountMinor !== null && ownMinor !== null && amountMinor > ownMinor)
    fault = 'exchange.insufficientToken';
  else if (amountMinor !== null && amountMinor < minMinor) fault = 'withdraw.minimum';
  return {
    system,
    rate,
    ownMinor,
    minMinor,
    amountMinor,
    fault,
    ...withdrawal(amountMinor ?? 0n, rate),
  };
}

/** The complete address and the amounts, before the withdrawal is sent. */
function Review(props: {
  to: string;
  figures: readonly (readonly [label: string, amount: string])[];
  isElsewhere: boolean;
  onClose(): void;
  onConfirm(): void;
}) {
  const { to, figures, isElsewhere, onClose, onConfirm } = props;
  const { t } = useTranslation();
  return (
    <Dialog title={t('withdraw.reviewTitle')} onClose={onClose}>
      <dl>
        <Line label={t('withdraw.to')}>
          <span className="break-all">{to}</span>
        </Line>
        {figures.map(([label, amount]) => (
          <Line key={label} label={label}>
            {amount}
          </Line>
        ))}
      </dl>
      <p className="mt-3 mb-5 text-fg-2 text-sm">
        {t(isElsewhere ? 'withdraw.elsewhere' : 'withdraw.arrival')}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="primary" onClick={onConfirm}>
          {t('withdraw.confirm')}
        </Button>
      </div>
    </Dialog>
  );
}

/** What is paid without operators, by the server's configuration. */
function Bounds({ system }: { system: SystemConfig }) {
  const { t } = useTranslation();
  const bsm = (amount: number) => amountText('token', amount);
  const { min_withdraw: min, withdraw_new_account_min: newMin } = system;
  return (
    <>
      <p className="mt-3 text-fg-2 text-xs">{t('bounds.title')}</p>
      <ul className="mt-1 grid list-disc gap-0.5 pl-4 text-fg-3 text-xs">
        <li>{t('bounds.automatic', { amount: bsm(system.withdraw_automatic_max) })}</li>
        <li>
          {t('bounds.perHour', {
            amount: bsm(system.withdraw_hour_max),
            count: system.withdraw_hour_count,
          })}
        </li>
        <li>{t('bounds.perDay', { amount: bsm(system.withdraw_day_max) })}</li>
        {newMin > min && <li>{t('bounds.newAccount', { amount: bsm(newMin) })}</li>}
        <li>{t('bounds.more')}</li>
      </ul>
    </>
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
