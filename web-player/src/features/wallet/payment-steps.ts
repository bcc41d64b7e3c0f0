import type { Payment } from '@reelbook/contract/player/wallet';

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

type Found = Payment['steps'][number] | null;

const finder =
  ({ steps }: Payment) =>
  (name: Payment['steps'][number]['step']): Found =>
    steps.findLast(({ step }) => step === name) ?? null;

const step = (name: StepName, found: Found): ShownStep => ({
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
