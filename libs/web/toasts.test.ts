import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toast, toasts } from './toasts.ts';

const texts = () => toasts.get().map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
  toasts.set([]);
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows the result of an action and its notification once, as the result, in either order', () => {
  toast('Exchanged.', 'good', undefined, 'exchanged');
  toast('Exchange: 5 BSM', 'plain', undefined, 'exchanged');
  expect(texts()).toEqual(['Exchanged.']);
  toasts.set([]);
  toast('Exchange: 5 BSM', 'plain', undefined, 'exchanged');
  toast('Exchanged.', 'good', undefined, 'exchanged');
  expect(texts()).toEqual(['Exchanged.']);
});

it('shows the newer of two notifications of one topic, and all of different topics', () => {
  toast('Deposit of 1', 'plain', undefined, 'deposit');
  toast('Deposit of 2', 'plain', undefined, 'deposit');
  toast('Exchange', 'plain', undefined, 'exchanged');
  expect(texts()).toEqual(['Deposit of 2', 'Exchange']);
});
