import { ApiError } from '@reelbook/contract/client';
import type { Payment } from '@reelbook/contract/player/wallet';
import { Badge } from '@reelbook/web/components/badge';
import { buttonClass } from '@reelbook/web/components/button';
import { Card, Line } from '@reelbook/web/components/card';
import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { amountText, dateTime } from '@reelbook/web/format';
import { afterFailure } from '@reelbook/web/query-client';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { LongLine } from '../../components/long-line.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

type StepName =
  | 'reported'
  | 'requested'
  | 'approval'
  | 'sent'
  | 'confirmed'
  | 'final'
  | 'returned'
  | 'review'
  | 'failed';

/** One line of the progress of a payment. */
export interface ShownStep {
  name: StepName;
  state: 'done' | 'now' | 'todo' | 'bad';
  at: string | null;
  position: number | null;
}

/** What has happened to a payment, what happens now and what follows; after a return or failure nothing follows. */
export function stepsOf(payment: Payment): readonly ShownStep[] {
  return payment.type === 'deposit' ? ofDeposit(payment) : ofWithdrawal(payment);
}

/** Whether anything can still change. */
export const isOpen = ({ status }: Pick<Payment, 'status'>) =>
  ['pending', 'approved', 'processing', 'review'].includes(status);

function ofWithdrawal(payment: Payment): readonly ShownStep[] {
  const { status, chain_status: chain } = payment;
  const found = finder(payment);
  const returned = found('returned');
  const isConfirmed = chain === 'confirmed' || chain === 'finalized';
  const sent = chain === null ? null : found('sent');
  const happened: readonly ShownStep[] = [
    step('requested', found('requested')),
    step('approval', found('approved')),
    step('sent', sent),
    { ...step('confirmed', null), state: isConfirmed ? 'done' : 'todo' },
    step('final', found('final')),
  ];
  if (status === 'returned') {
    const done = happened.filter(({ state }) => state === 'done');
    return [...done, { ...step('returned', returned), state: 'bad' }];
  }
  return withNow(happened);
}

function ofDeposit(payment: Payment): readonly ShownStep[] {
  const found = finder(payment);
  const reported = found('reported');
  const first = reported ? [step('reported', reported)] : [];
  if (payment.status === 'review') return [...first, { ...step('review', null), state: 'now' }];
  if (payment.status === 'failed') return [...first, { ...step('failed', null), state: 'bad' }];
  return withNow([...first, step('final', found('final'))]);
}

type FoundPayment = Payment['steps'][number] | null;

const finder =
  ({ steps }: Payment) =>
  (name: Payment['steps'][number]['step']): FoundPayment =>
    steps.findLast(({ step }) => step === name) ?? null;

const step = (name: StepName, found: FoundPayment): ShownStep => ({
  name,
  state: found ? 'done' : 'todo',
  at: found?.at ?? null,
  position: found?.position ?? null,
});

/** The first step that is not done is the current one. */
function withNow(steps: readonly ShownStep[]): readonly ShownStep[] {
  const next = steps.findIndex(({ state }) => state === 'todo');
  return steps.map((one, place) => (place === next ? { ...one, state: 'now' } : one));
}

/** The live channel reports events; the chain and the reports of deposits do not, so they are looked up. */
const LOOK_AGAIN_MS = 4_000;

const paymentOf = (id: string) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'payment', id],
    queryFn: () => api.call('payment', { params: { id } }),
    refetchInterval: ({ state }) =>
      state.data && isSilent(state.data) ? LOOK_AGAIN_MS : afterFailure({ state }),
  });

const isSilent = ({ type, status }: Payment) =>
  type === 'deposit' ? isOpen({ status }) : status === 'processing';

/** One deposit or withdrawal with its steps, which update while it is shown. */
export function PaymentPage() {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  const { id = '' } = useParams();
  if (!signedIn) return <Visitor title={t('nav.payment')}>{t('payment.visitor')}</Visitor>;
  return (
    <>
      <Link to={paths.wallet} className="inline-flex min-h-11 items-center text-fg-2 text-sm">
        ‹ {t('nav.wallet')}
      </Link>
      <Found key={id} id={id} />
    </>
  );
}

function Found({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(paymentOf(id));
  if (data) return <Shown payment={data} />;
  return (
    <>
      <h1 className="mb-5 text-2xl">{t('nav.payment')}</h1>
      <Card title={t('payment.progress')}>
        {!error && <SkeletonRows count={5} />}
        {error instanceof ApiError && error.code >= 400 && error.code < 500 ? (
          <Empty
            action={
              <Link to={paths.wallet} className={buttonClass('plain')}>
                {t('nav.wallet')}
              </Link>
            }
          >
            {t('payment.unknown')}
          </Empty>
        ) : (
          error && <LoadFailed retry={() => void refetch()} />
        )}
      </Card>
    </>
  );
}

const TONES = {
  completed: 'good',
  returned: 'bad',
  failed: 'bad',
} as const satisfies Partial<Record<Payment['status'], 'good' | 'bad'>>;

function Shown({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const { type, status, amount } = payment;
  const tone = status in TONES ? TONES[status as keyof typeof TONES] : 'brass';
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-2xl">{t(`transactions.type.${type}`)}</h1>
        <Badge tone={tone}>{t(`transactions.statuses.${status}`)}</Badge>
        <p className="ml-auto font-medium font-mono text-xl">
          {type === 'withdraw' ? '−' : status === 'completed' ? '+' : ''}
          {amountText('token', amount)} <span className="text-fg-3 text-sm">BSM</span>
        </p>
      </div>
      <div className="grid items-start gap-4 *:min-w-0 md:grid-cols-2 lg:gap-6">
        <Card title={t('payment.progress')}>
          <Progress payment={payment} />
        </Card>
        <Card title={t('payment.details')}>
          <Details payment={payment} />
        </Card>
      </div>
    </>
  );
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `4 seconds`, in the largest unit of which there are two. */
export function roughly(ms: number, language: string): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= 2 * size) ?? UNITS[2];
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.round(ms / size)));
}

function Progress({ payment }: { payment: Payment }) {
  const { t, i18n } = useTranslation();
  const attempts = payment.steps.filter(({ step }) => step === 'attempt-failed').length;
  return (
    <>
      <div role="status">
        <ol>
          {stepsOf(payment).map((step) => (
            <Step key={step.name} step={step} payment={payment} />
          ))}
        </ol>
      </div>
      {attempts > 0 && (
        <p className="mt-2 text-fg-2 text-sm">{t('payment.attempts', { count: attempts })}</p>
      )}
      {payment.usual && (
        <p className="mt-2 text-fg-2 text-sm">
          {t('payment.usual', {
            count: payment.usual.count,
            duration: roughly(payment.usual.ms, i18n.language),
          })}
        </p>
      )}
    </>
  );
}

const COLORS = { done: 'text-mint', now: 'text-brass', todo: 'text-fg-3', bad: 'text-coral' };

function Step({ step, payment }: { step: ShownStep; payment: Payment }) {
  const { t } = useTranslation();
  const { name, state, at, position } = step;
  const { type } = payment;
  return (
    <li
      className="flex items-start gap-3 border-line border-b py-3 last:border-0"
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={`grid size-6 shrink-0 place-items-center ${COLORS[state]}`}>
        {state === 'done' && <CheckIcon />}
        {state === 'bad' && <CrossIcon />}
        {state === 'now' && <span className="size-2.5 rounded-full bg-brass" />}
        {state === 'todo' && <span className="size-2.5 rounded-full border border-line-strong" />}
        <span className="sr-only">{t(`payment.state.${state}`)}</span>
      </span>
      <div className="min-w-0 flex-1">
        <p className={state === 'todo' ? 'text-fg-3' : 'font-medium'}>
          {t(`payment.step.${type}.${name as 'final'}`)}
        </p>
        <Why step={step} payment={payment} />
        {at !== null && (
          <time dateTime={at} className="block font-mono text-fg-3 text-xs">
            {dateTime(at)}
          </time>
        )}
      </div>
      {position !== null && <PositionChip position={position} own />}
    </li>
  );
}

/** Why a step waits, or why it was the last one. */
function Why({ step, payment }: { step: ShownStep; payment: Payment }) {
  const { t } = useTranslation();
  const { hold, reason, fault } = payment;
  if (step.state === 'now' && hold) {
    return <p className="text-fg-2 text-sm">{t(`hold.${hold.code}`, hold.facts)}</p>;
  }
  if (step.state === 'now') {
    const name = payment.type === 'deposit' && step.name === 'final' ? 'credit' : step.name;
    return <p className="text-fg-2 text-sm">{t(`payment.now.${name as 'final'}`)}</p>;
  }
  if (step.state !== 'bad') return null;
  const known = fault === null ? null : t(`depositFaults.${fault as 'failed'}`);
  if (known === null && reason === null) return null;
  return (
    <p className="text-fg-2 text-sm">
      {t('eventField.reason')}: {known ?? <bdi>{reason}</bdi>}
    </p>
  );
}

function Details({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const { type, amount, fee, net_amount: net, to_address: to, signature, explorer_url } = payment;
  const own = useStore(session)?.user.wallet_address;
  const bsm = (value: number) => `${amountText('token', value)} BSM`;
  const [first] = payment.steps;
  const last = payment.steps.at(-1);
  return (
    <dl>
      <Line label={t(type === 'deposit' ? 'eventField.amountMinor' : 'withdraw.deducted')}>
        {bsm(amount)}
      </Line>
      {type === 'withdraw' && (
        <>
          <Line label={t('eventField.feeMinor')}>{bsm(fee)}</Line>
          <Line label={t(to === own ? 'withdraw.net' : 'withdraw.netElsewhere')}>{bsm(net)}</Line>
        </>
      )}
      {to !== null && (
        <LongLine label={t('eventField.to')} value={to} copy={t('payment.copyAddress')}>
          {payment.confirmed_by_wallet && (
            <span className="font-sans text-fg-3">{t('payment.confirmed')}</span>
          )}
        </LongLine>
      )}
      {first && <Line label={t('payment.started')}>{dateTime(first.at)}</Line>}
      {last && last !== first && <Line label={t('payment.updated')}>{dateTime(last.at)}</Line>}
      <Line label={t('payment.chain')}>
        {t(
          `payment.chainStatus.${payment.chain_status ?? (type === 'deposit' ? 'notFinal' : 'none')}`,
        )}
      </Line>
      {signature !== null && (
        <LongLine
          label={t('eventField.signature')}
          value={signature}
          copy={t('payment.copySignature')}
        >
          {explorer_url === null ? (
            <span className="font-sans text-fg-3">{t('payment.noExplorer')}</span>
          ) : (
            <a
              href={explorer_url}
              target="_blank"
              rel="noreferrer"
              className="font-sans text-brass underline"
            >
              {t('payment.explorer')}
            </a>
          )}
        </LongLine>
      )}
      {type === 'withdraw' && <Line label={t('eventField.withdrawal')}>{payment.id}</Line>}
    </dl>
  );
}
