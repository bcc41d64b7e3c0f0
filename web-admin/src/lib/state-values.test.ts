import { expect, test } from 'vitest';
import { leavesOf, stateText } from './state-values.ts';

test.each([
  [['pointsMinor'], '99500', /^995\.00 /],
  [['tokenMinor'], '12500000001', /^12\.500000001 BSM$/],
  [['withdrawals', 'open', '0', 'feeMinor'], '100000000', /^0\.10 BSM$/],
  [['protection', 'atMs'], 1_763_390_000_000, /^2025-11-17 14:33:20\.000 UTC$/],
  [['timed', 'snake', 'tickMs'], 120, /^120$/],
  [['nickname'], null, /^null$/],
  [['nickname'], 'Ann', /^Ann$/],
  [['pointsMinor'], 'none', /^none$/],
])('%s %s is shown in human units', (path, value, shown) => {
  expect(stateText(path, value)).toMatch(shown);
});

test('the leaves of a state have their paths', () => {
  const state = { wallet: 'a', open: [{ id: 1 }, { id: 2 }], limits: [], none: {} };
  expect(leavesOf(state).map(({ path }) => path.join('.'))).toEqual([
    'wallet',
    'open.0.id',
    'open.1.id',
    'limits',
    'none',
  ]);
});
