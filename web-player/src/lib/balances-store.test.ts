import { expect, test, vi } from 'vitest';
import { balancesOld, createBalancesStore } from './balances-store.ts';

const at = (version: number, points: number) => ({
  balance: 0,
  token_balance: 0,
  points_balance: points,
  stream_version: version,
  position: version + 100,
});

test('an older balance never replaces a newer one', () => {
  const store = createBalancesStore();
  expect(store.accept(at(5, 50))).toBe(true);
  expect(store.accept(at(4, 40))).toBe(false);
  expect(store.get()?.points).toBe(50);
  store.accept(at(6, 60));
  expect(store.get()).toEqual({ points: 60, token: 0, position: 106, held: false });
});

test('while the reels turn only the stake is deducted; the outcome shows when released', () => {
  const store = createBalancesStore();
  store.accept(at(1, 100.5));
  store.hold(90.5);
  expect(store.get()?.points).toBe(90.5);
  store.accept(at(3, 120.5));
  expect(store.get()?.points).toBe(90.5);
  store.release();
  expect(store.get()?.points).toBe(120.5);
});

test('the end of a round notifies the listeners, also without a win', () => {
  const store = createBalancesStore();
  store.accept(at(1, 100));
  store.hold(90);
  store.accept(at(3, 90));
  const shown: unknown[] = [];
  store.subscribe(() => shown.push(store.get()?.held));
  store.release();
  expect(shown).toEqual([false]);
});

test('a balance that is held before any is known shows nothing of the outcome', () => {
  const store = createBalancesStore();
  store.hold(90.5);
  expect(store.get()).toBeNull();
  store.accept(at(3, 120.5));
  expect(store.get()?.points).toBe(90.5);
});

test('after a reset the balances of the next player are unknown', () => {
  const store = createBalancesStore();
  store.accept(at(9, 90));
  store.reset();
  expect(store.get()).toBeNull();
  expect(store.accept(at(2, 20))).toBe(true);
});

test('equal balances notify no listener', () => {
  const store = createBalancesStore();
  store.accept(at(1, 10));
  const listener = vi.fn();
  store.subscribe(listener);
  store.accept(at(1, 10));
  expect(listener).not.toHaveBeenCalled();
});

test('balances are read as numbers or texts, BSM under either name', () => {
  const store = createBalancesStore();
  const [stream_version, position] = [1, 101];
  for (const received of [
    { balance: 2.5, points_balance: 10 },
    { token_balance: '2.5', points_balance: '10' },
    { balance: '7', token_balance: 2.5, points_balance: '10.00' },
  ]) {
    store.reset();
    expect(store.accept({ ...received, stream_version, position })).toBe(true);
    expect(store.get()).toEqual({ points: 10, token: 2.5, position, held: false });
  }
});

test.each([
  { token_balance: 1, points_balance: 'many' },
  { token_balance: 1, points_balance: Number.NaN },
  { token_balance: '', points_balance: 1 },
  { points_balance: 1 },
  { token_balance: 1 },
])('an unreadable balance (%j) keeps the known one, marked as old', (received) => {
  const store = createBalancesStore();
  store.accept(at(1, 10));
  expect(store.accept({ ...received, stream_version: 2, position: 102 })).toBe(false);
  expect(store.get()?.points).toBe(10);
  expect(balancesOld.get()).toBe(true);
  expect(store.accept(at(2, 20))).toBe(true);
  expect(balancesOld.get()).toBe(false);
});
