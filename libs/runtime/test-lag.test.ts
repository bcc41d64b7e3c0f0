import { expect, test } from 'vitest';
import { cashierLagMs, publisherLagMs, readModelLag } from './test-lag.ts';

const names = ['a', 'b', 'c'];

test('delays are evenly spread, and reversed in the other order', () => {
  const late = (order: 'none' | 'forward' | 'reverse') => names.map(readModelLag(order, names));
  expect(late('forward')).toEqual([80, 690, 1_300]);
  expect(late('reverse')).toEqual([1_300, 690, 80]);
  expect(late('none')).toEqual([0, 0, 0]);
});

test('there is no delay by default', () => {
  expect([publisherLagMs('none'), cashierLagMs('none')]).toEqual([0, 0]);
  expect([publisherLagMs('reverse'), cashierLagMs('forward')]).toEqual([300, 400]);
});
