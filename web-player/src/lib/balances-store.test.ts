import { expect, test, vi } from 'vitest';
import { createBalancesStore } from './balances-store.ts';

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
  expect(store.get()).toEqual({ points: 60, token: 0, position: 106 });
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
