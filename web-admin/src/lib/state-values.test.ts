import { expect, test } from 'vitest';
import { fieldName, leavesOf, stateText } from './state-values.ts';

test.each([
  [['pointsMinor'], '99500', /^995\.00 /],
  [['tokenMinor'], '12500000001', /^12\.500000001 BSM$/],
  [['withdrawals', 'open', '0', 'feeMinor'], '100000000', /^0\.10 BSM$/],
  [['protection', 'atMs'], 1_763_390_000_000, /^2025-11-17 14:33:20\.000 UTC$/],
  [['timed', 'snake', 'tickMs'], 120, /^120 ms$/],
  [['protection', 'realityCheck', 'everyMs'], 3_600_000, /^3,600,000 ms$/],
  [['nickname'], null, /^none$/],
  [['notices', 'readSingly'], [], /^none$/],
  [['standing', 'suspended'], true, /^yes$/],
  [['seeds', 'clientSeed'], '', /^empty$/],
  [['nickname'], 'Ann', /^Ann$/],
  [['pointsMinor'], 'none', /^none$/],
])('%s %s is shown in human units', (path, value, shown) => {
  expect(stateText(path, value)).toMatch(shown);
});

const LIMITS = [
  { kind: 'deposit', amountMinor: '5000000000', pending: { amountMinor: '7000000000' } },
  { kind: 'loss', amountMinor: '500' },
];
test.each([
  [['protection', 'limits', '0', 'amountMinor'], '5.00 BSM'],
  [['protection', 'limits', '0', 'pending', 'amountMinor'], '7.00 BSM'],
  [['protection', 'limits', '1', 'amountMinor'], '5.00 points'],
  [['proposals', '0', 'command', 'deltaMinor'], '2.00 BSM'],
  [['proposals', '1', 'command', 'amountMinor'], '3.00 BSM'],
  [['unmatched', 'amountMinor'], '1.00 BSM'],
])('the amount at %s has the asset that the state names: %s', (path, shown) => {
  const state = {
    protection: { limits: LIMITS },
    proposals: [
      { kind: 'adjustment', command: { asset: 'token', deltaMinor: '2000000000' } },
      { kind: 'unmatched', command: { amountMinor: '3000000000' } },
    ],
    unmatched: { amountMinor: '1000000000' },
  };
  const { value } = leavesOf(state).find((leaf) => leaf.path.join() === path.join()) ?? {};
  expect(stateText(path, value, state)).toBe(shown);
});

const WALLET = 'HyDHkbTB7tGWdJrzqXZrkPNFWSuV9cEbWCPsFFNHfQKk';
test.each([
  ['pointsMinor', 'Points'],
  ['notices.readSingly.0', 'Notifications › read one by one › 1'],
  ['seeds.activeHash', 'Seeds › hash of the active server seed'],
  ['withdrawals.open.0.netMinor', 'Withdrawals › open › 1 › net'],
  ['protection.realityCheck.everyMs', 'Protection › reality check › every'],
  ['timed.slot-machine.stakeMinor', 'Timed games › slot-machine › stake'],
  [`operators.${WALLET}`, `Operators › ${WALLET}`],
  [
    'config.withdraw.feeRate.numerator',
    'Withdrawals: Fee rate, share of the gross amount › numerator',
  ],
  ['config.games.snake.minStakeMinor', 'snake: Minimum stake'],
])('%s is named %s', (path, name) => {
  expect(fieldName(path.split('.'))).toBe(name);
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
