import { toNumber } from '@reelbook/ledger/money';
import { heldMinor, readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { CheckIcon } from '@reelbook/web/components/icons';
import { amountText, formatInteger, shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AmountField, MaxButton } from '../../components/amount-field.tsx';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { api } from '../../lib/api.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { paymentPath } from '../../lib/paths.ts';
import { systemConfig, walletBalance } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { NO_CHAIN, useClosed } from '../../lib/use-closed.ts';
import type { DepositStep } from './send-deposit.ts';
import { MAX_DEPOSIT_DEFAULT, MIN_DEPOSIT_DEFAULT, type useDeposit } from './use-deposit.ts';
import { useDialog } from './use-dialog.ts';

/** Free BSM for the player's wallet, on the local chain only. */
function Faucet() {
  const { t } = useTranslation();
  const { busy, send } = useCommand({
    send: () => api.call('faucet'),
    onDone: ({ amount }) => {
      toast(t('faucet.done', { amount: amountText('token', amount) }), 'good');
      refreshPlayerData();
    },
    onFailed: (error) => toast(refusalText(error), 'bad'),
  });
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line border-dashed px-4 py-3">
      <p className="text-fg-2 text-sm">{t('faucet.text')}</p>
      <Button disabled={busy} onClick={() => send()}>
        {t(busy ? 'exchange.processing' : 'faucet.submit')}
      </Button>
    </div>
  );
}

const STEPS = ['checking', 'signing', 'sending', 'confirming', 'reporting'] as const;

/** Deposits BSM from the player's wallet, with progress by step. */
export function DepositPanel(props: { wallet: string; of: ReturnType<typeof useDeposit> }) {
  const { wallet, of } = props;
  const { state, step, done } = of;
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { data: system } = useQuery(systemConfig);
  const min = system?.min_deposit ?? MIN_DEPOSIT_DEFAULT;
  const max = system?.max_deposit ?? MAX_DEPOSIT_DEFAULT;
  const known = useClosed();
  const closed = known ?? (system?.network === null ? NO_CHAIN : null);
  const [asking, setAsking] = useDialog<bigint>(!closed);
  const isOff = known === undefined || system?.rpc_url === null;
  const { held, shortage } = useOnChain(text);
  const most = held === null ? null : smaller(held, heldMinor('token', max));
  const busy = state.phase !== 'idle';
  useEffect(() => {
    if (done) setText('');
  }, [done]);
  function type(typed: string): void {
    setText(typed);
    setError(null);
  }
  function ask(): void {
    const amount = readAmount('token', text);
    if (typeof amount !== 'bigint') setError(t('deposit.invalidAmount'));
    else if (toNumber('token', amount) > max) {
      setError(t('deposit.fault.aboveMaximum', { max: formatInteger(max) }));
    } else if (toNumber('token', amount) < min) {
      setError(t('deposit.fault.belowMinimum', { min: formatInteger(min) }));
    } else if (shortage === null) setAsking(amount);
  }
  if (closed && !busy) {
    return (
      <Card title={t('deposit.title')}>
        <ClosedPanel closed={closed} />
      </Card>
    );
  }
  return (
    <Card title={t('deposit.title')}>
      {system?.rpc_url === null && <p className="mb-3 text-fg-2 text-sm">{t('deposit.off')}</p>}
      <Unconfirmed of={of} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) ask();
        }}
      >
        <AmountField
          label={t('deposit.amount')}
          asset="token"
          value={text}
          onChange={type}
          error={
            error ??
            (shortage !== null && !busy
              ? t('deposit.aboveHeld', { amount: amountText('token', shortage) })
              : null)
          }
          aside={<MaxButton asset="token" most={most} disabled={busy || isOff} onChoose={type} />}
          disabled={busy || isOff}
          hint={t('deposit.hint', { min: formatInteger(min), max: formatInteger(max) })}
        />
        <Button
          look="primary"
          type="submit"
          className="mt-2 min-h-12 w-full"
          // Not disabled while busy: the focus returns here from the dialog.
          disabled={isOff}
          aria-disabled={busy}
        >
          {t(busy ? 'deposit.busy' : 'deposit.title')}
        </Button>
      </form>
      {step !== null && <Steps now={step} />}
      {done && !busy && <Last of={done} />}
      {(step === 'checking' || step === 'signing') && (
        <Button className="mt-3 w-full" onClick={of.stop}>
          {t('deposit.stop')}
        </Button>
      )}
      {system?.faucet && <Faucet />}
      {asking !== null && (
        <Confirm
          amount={asking}
          wallet={wallet}
          onClose={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null);
            of.deposit(asking);
          }}
        />
      )}
    </Card>
  );
}

function Unconfirmed({ of: { state, step } }: { of: ReturnType<typeof useDeposit> }) {
  // The answer to a first report is one of the steps.
  if (state.phase !== 'unconfirmed' || step !== null) return null;
  return (
    <div className="mb-3">
      <UnconfirmedNotice
        kind="deposit"
        amount={`${amountText('token', state.pending.amount)} BSM`}
        atMs={state.pending.atMs}
        checked={state.checked}
      />
    </div>
  );
}

/** What happened to the last deposit. */
function Last({
  of: { hash, amount },
}: {
  of: NonNullable<ReturnType<typeof useDeposit>['done']>;
}) {
  const { t } = useTranslation();
  return (
    <p className="mt-3 text-sm">
      <Link to={paymentPath(hash)} className="text-brass underline">
        {t('deposit.last', { amount: amountText('token', amount) })}
      </Link>
    </p>
  );
}

function Confirm(props: {
  /** In minor units. */
  amount: bigint;
  wallet: string;
  onClose(): void;
  onConfirm(): void;
}) {
  const { amount, wallet, onClose, onConfirm } = props;
  const { t } = useTranslation();
  return (
    <Dialog title={t('deposit.confirmTitle')} onClose={onClose}>
      <p className="mb-5 text-fg-2">
        {t('deposit.confirm', {
          amount: amountText('token', toNumber('token', amount)),
          wallet: shortAddress(wallet),
        })}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="primary" onClick={onConfirm}>
          {t('deposit.title')}
        </Button>
      </div>
    </Dialog>
  );
}

/** What the wallet holds, in minor units, and if that is less than the amount, in BSM; null also while it is unknown. */
function useOnChain(text: string): { held: bigint | null; shortage: number | null } {
  const { data, refetch } = useQuery(walletBalance);
  const amount = readAmount('token', text);
  const held = data && !data.stale ? heldMinor('token', data.balance) : null;
  const isShort = typeof amount === 'bigint' && held !== null && amount > held;
  useEffect(() => {
    if (isShort) void refetch();
  }, [isShort, refetch]);
  return { held, shortage: isShort && data ? data.balance : null };
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

function Steps({ now }: { now: DepositStep }) {
  const { t } = useTranslation();
  const reached = STEPS.indexOf(now);
  return (
    <ol className="mt-4 flex flex-col gap-2 text-sm" role="status" aria-live="polite">
      {STEPS.map((step, place) => (
        <li
          key={step}
          className={`flex items-center gap-2.5 ${
            place === reached ? 'text-fg' : place < reached ? 'text-mint' : 'text-fg-3'
          }`}
          aria-current={place === reached ? 'step' : undefined}
        >
          <span className="grid size-5 place-items-center">
            {place < reached ? (
              <CheckIcon />
            ) : (
              <span
                className={`size-2 rounded-full ${place === reached ? 'bg-brass' : 'bg-ink-3'}`}
              />
            )}
          </span>
          {t(`deposit.step.${step}`)}
        </li>
      ))}
    </ol>
  );
}
