import type { Payment } from '@reelbook/contract/player/wallet';
import { expect, test } from 'vitest';
import { isOpen, roughly, stepsOf } from './payment-page.tsx';

const AT = '2026-11-25T10:00:00.000Z';
type Name = Payment['steps'][number]['step'];

const payment = (o: Partial<Payment>, steps: readonly Name[]): Payment => ({
  id: 'p-w1',
  type: 'withdraw',
  status: 'pending',
  amount: 10,
  fee: 0.5,
  net_amount: 9.5,
  to_address: 'w',
  confirmed_by_wallet: false,
  signature: null,
  explorer_url: null,
  chain_status: null,
  hold: null,
  usual: null,
  reason: null,
  fault: null,
  steps: steps.map((step, n) => ({ step, at: AT, position: n + 1 })),
  ...o,
});
const shown = (o: Partial<Payment>, steps: readonly Name[]) =>
  stepsOf(payment(o, steps)).map(({ name, state }) => `${name} ${state}`);

test('a withdrawal shows each step once it has happened, and which one is next', () => {
  const rest = ['sent todo', 'confirmed todo', 'final todo'];
  expect(shown({}, ['requested', 'approval'])).toEqual(['requested done', 'approval now', ...rest]);
  const sent: Name[] = ['requested', 'approved', 'sent'];
  const done = ['requested done', 'approval done', 'sent done'];
  expect(shown({ chain_status: 'sent' }, sent)).toEqual([...done, 'confirmed now', 'final todo']);
  expect(shown({ chain_status: 'confirmed' }, sent)).toEqual([
    ...done,
    'confirmed done',
    'final now',
  ]);
  const paid = { status: 'completed', chain_status: 'finalized' } as const;
  expect(shown(paid, [...sent, 'final'])).toEqual([...done, 'confirmed done', 'final done']);
});

test('after a failed attempt it is sent again', () => {
  const steps: Name[] = ['requested', 'approved', 'sent', 'attempt-failed'];
  expect(shown({ status: 'approved' }, steps).slice(1, 3)).toEqual(['approval done', 'sent now']);
});

test('a returned withdrawal ends with the return', () => {
  const returned = { status: 'returned' } as const;
  expect(shown(returned, ['requested', 'denied', 'returned'])).toEqual([
    'requested done',
    'returned bad',
  ]);
  expect(isOpen(returned)).toBe(false);
});

test('a deposit is reported, then final; in review or failed nothing follows', () => {
  const deposit = { type: 'deposit' } as const;
  expect(shown(deposit, ['reported'])).toEqual(['reported done', 'final now']);
  expect(shown({ ...deposit, status: 'completed' }, ['final'])).toEqual(['final done']);
  expect(shown({ ...deposit, status: 'review' }, ['reported'])).toEqual([
    'reported done',
    'review now',
  ]);
  expect(shown({ ...deposit, status: 'failed' }, ['reported'])).toEqual([
    'reported done',
    'failed bad',
  ]);
});

test('a usual duration is in words, in the largest unit of which there are two', () => {
  const texts = [400, 4_400, 119_000, 150_000, 7_200_000].map((ms) => roughly(ms, 'en'));
  expect(texts).toEqual(['1 second', '4 seconds', '119 seconds', '3 minutes', '2 hours']);
  expect(roughly(4_400, 'zh')).toBe('4秒钟');
});
