import { writeSignature } from '@reelbook/contract/login';
import type { SystemConfig } from '@reelbook/contract/player/public';
import type { WithdrawBody, WithdrawResult } from '@reelbook/contract/player/wallet';
import { toMinor, toNumber, toText } from '@reelbook/ledger/money';
import { confirmationMessage } from '@reelbook/ledger/player/confirmation';
import { WALLET_PATTERN } from '@reelbook/ledger/streams';
import { heldMinor, readAmount } from '@reelbook/web/amount';
import { Button } from '@reelbook/web/components/button';
import { Card, Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { Field } from '@reelbook/web/components/field';
import { amountText, shortAddress } from '@reelbook/web/format';
import { loadPart } from '@reelbook/web/load-part';
import { deviceStorage } from '@reelbook/web/storage';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { AmountField, MaxButton } from '../../components/amount-field.tsx';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { abortable } from '../../lib/abortable.ts';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { refreshPlayerData } from '../../lib/live.ts';
import { paths, paymentPath } from '../../lib/paths.ts';
import { createPendingCommands } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { queryClient, systemConfig, tokenConfig } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { NO_CHAIN } from '../../lib/use-closed.ts';
import { useKeptCommand } from '../../lib/use-kept-command.ts';
import { connectOwn } from './own-wallet.ts';
import { useDialog } from './use-dialog.ts';

/** The text key of what is wrong with the address of a withdrawal; null also while that is unknown: the server checks it again. */
function useAddressFault(address: string, wallet: string) {
  const isReadable = WALLET_PATTERN.test(address);
  const { data } = useQuery({
    queryKey: ['address-fault', address],
    queryFn: () => readFault(address),
    enabled: isReadable && address !== wallet,
    retry: false,
  });
  if (address === '') return null;
  if (!isReadable || data === 'not-an-address') return 'withdraw.noAddress' as const;
  if (data === 'ours') return 'withdraw.ours' as const;
  return data ? ('withdraw.notWallet' as const) : null;
}

async function readFault(address: string) {
  const [system, token, { checkDestinationAt }] = await Promise.all([
    queryClient.fetchQuery(systemConfig),
    queryClient.fetchQuery(tokenConfig),
    loadPart(() => import('./check-address.ts')),
  ]);
  const { token_contract: mint, project_wallet: projectWallet } = token;
  if (!mint || !projectWallet) return null;
  const rpcUrl = new URL(system.rpc_url ?? '/chain', location.origin).href;
  return checkDestinationAt({ rpcUrl, mint, wallet: projectWallet }, address);
}

type Withdrawal = Omit<WithdrawBody, 'confirmation'>;

/** Whether the wallet signs a withdrawal to this address. The server refuses what is no address. */
function needsConfirmation(to: string, wallet: string): boolean {
  return to !== wallet && WALLET_PATTERN.test(to);
}

/** A withdrawal from its start to its result. To another address the wallet signs amount and address first. */
function useWithdraw(wallet: string, onDone: (id: string) => void) {
  const { state, send, discard } = useSend(wallet, onDone);
  const [signing, setSigning] = useState<AbortController | null>(null);
  const [unsigned, setUnsigned] = useState<Withdrawal | null>(null);

  async function withdraw(body: Withdrawal): Promise<void> {
    setUnsigned(null);
    if (!needsConfirmation(body.to_address, wallet)) {
      void send(body);
      return;
    }
    const call = new AbortController();
    setSigning(call);
    try {
      void send({ ...body, confirmation: await confirm(wallet, body, call.signal) });
    } catch {
      setUnsigned(body);
    } finally {
      setSigning(null);
    }
  }

  return {
    busy: state.phase !== 'idle' || signing !== null,
    state,
    discard,
    withdraw,
    /** Ends the wait for the wallet; null while there is none. */
    stop: signing && (() => signing.abort()),
    /** The withdrawal that the wallet has not signed; the player chooses what happens with it. */
    unsigned,
    sendUnsigned(body: Withdrawal) {
      setUnsigned(null);
      void send(body);
    },
    drop: () => setUnsigned(null),
  };
}

/** Throws what the wallet, the configuration or the signal throws. */
async function confirm(
  wallet: string,
  { amount, to_address: to }: Withdrawal,
  signal: AbortSignal,
) {
  const own = await connectOwn(wallet, signal);
  const { origin } = await queryClient.fetchQuery(systemConfig);
  const amountMinor = toMinor('token', amount) ?? 0n;
  const message = confirmationMessage({ origin, amountMinor, to, atMs: serverNowMs() });
  const bytes = new TextEncoder().encode(message);
  const signature = await abortable(() => own.signMessage(bytes), signal);
  return { message, signature: writeSignature(signature) };
}

const pendingWithdrawals = createPendingCommands<WithdrawBody>(
  deviceStorage,
  'pending_withdrawal',
  ({ amount, to_address }) => typeof amount === 'number' && typeof to_address === 'string',
);

function useSend(wallet: string, onDone: (id: string) => void) {
  const { t } = useTranslation();
  return useKeptCommand({
    wallet,
    pending: pendingWithdrawals,
    prepare: async (body: WithdrawBody) => body,
    send: (body, idempotencyKey) => api.call('withdraw', { body, idempotencyKey }),
    onDone: (result: WithdrawResult) => {
      balances.accept(result);
      refreshPlayerData();
      const { net_amount: net, to_address: to } = result;
      const shown = { amount: amountText('token', net), to: shortAddress(to) };
      const done = t(to === wallet ? 'withdraw.done' : 'withdraw.doneElsewhere', shown);
      toast(done, 'good', undefined, 'withdrawal-requested');
      onDone(result.withdrawal_id);
    },
    onRefused: (error) => {
      askIfProtected(error);
      const why = refusalText(error) || t('exchange.unknown');
      toast(t('withdraw.failed', { why }), 'bad');
    },
    onDiscarded: ({ amount }) => {
      const text = `${amountText('token', amount)} BSM`;
      toast(t('unconfirmed.notMoved.withdrawal', { amount: text }));
    },
  });
}

/** The specification's fee, used until the server's is loaded. */
const FEE_RATE_DEFAULT = 0.05;
/** Maximum decimals of a displayed rate; the server's rate is an exact fraction. */
const RATE_UNIT = 1_000_000_000_000;

/** Fee, rounded up as the server does, and net amount. Minor units of BSM. */
export function withdrawal(
  amountMinor: bigint,
  feeRate: number,
): { feeMinor: bigint; netMinor: bigint } {
  const unit = BigInt(RATE_UNIT);
  const feeMinor = (amountMinor * BigInt(Math.round(feeRate * RATE_UNIT)) + unit - 1n) / unit;
  return { feeMinor, netMinor: amountMinor - feeMinor };
}

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
          aside={<MaxButton asset="token" most={ownMinor} disabled={busy} onChoose={setText} />}
        />
        <Field
          tall
          lines={2}
          label={t('eventField.to')}
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
          <Line label={t('eventField.feeMinor')}>{isAmount ? shown(feeMinor) : '–'}</Line>
          <Line label={netLabel}>{isAmount ? shown(netMinor) : '–'}</Line>
        </dl>
        {system && <Bounds system={system} />}
        <Button look="primary" type="submit" className="mt-3 min-h-12 w-full" disabled={!canSend}>
          {t(stop ? 'deposit.step.signing' : busy ? 'exchange.processing' : 'withdraw.title')}
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
            [t('eventField.feeMinor'), shown(feeMinor)],
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
        <Line label={t('eventField.to')}>
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
      <p className="mt-3 text-fg-2 text-xs">{t('nav.limits')}</p>
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
        <Line label={t('eventField.to')}>
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
