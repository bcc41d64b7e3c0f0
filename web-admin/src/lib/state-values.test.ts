import { expect, test } from 'vitest';
import { type Change, fieldName, leavesOf, mergeRates, stateText } from './state-values.ts';

test.each([
  [['pointsMinor'], '99500', /^995\.00 /],
  [['tokenMinor'], '12500000001', /^12\.500000001 BSM$/],
  [['withdrawals', 'open', '0', 'feeMinor'], '100000000', /^0\.10 BSM$/],
  [['protection', 'atMs'], 1_763_390_000_000, /^2025-11-17 14:33:20\.000 UTC$/],
  [['timed', 'snake', 'tickMs'], 120, /^120 ms$/],
  [['protection', 'realityCheck', 'everyMs'], 3_600_000, /^1 h$/],
  [['protection', 'realityCheck', 'everyMs'], 93_600_000, /^1 d 2 h$/],
  [['limits', 'waitMs'], 15_000, /^15 s$/],
  [['limits', 'waitMs'], 61_500, /^1 min 1\.5 s$/],
  [['limits', 'waitMs'], 0, /^0 ms$/],
  [['config', 'withdraw', 'lowWaterLamports'], 50_000_000, /^0\.05 SOL$/],
  [['config', 'withdraw', 'feeRate'], '5/100', /^5%$/],
  [['config', 'exchange', 'tokenToPoints'], '100/1', /^100 points$/],
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
  ['config.withdraw.feeRate', 'Withdrawals: Fee rate, fraction of the gross amount'],
  ['config.games.snake.minStakeMinor', 'snake: Minimum stake'],
])('%s is named %s', (path, name) => {
  expect(fieldName(path.split('.'))).toBe(name);
});

test('the leaves of a state have their paths', () => {
  const feeRate = { numerator: 5, denominator: 100 };
  const state = { wallet: 'a', open: [{ id: 1 }, { id: 2 }], limits: [], none: {}, feeRate };
  expect(leavesOf(state).map(({ path }) => path.join('.'))).toEqual([
    'wallet',
    'open.0.id',
    'open.1.id',
    'limits',
    'none',
    'feeRate',
  ]);
});

test('a changed rate is one change, whichever of its parts differ', () => {
  const to = { n: 2, feeRate: { numerator: 1, denominator: 200 }, open: [] };
  const n: Change = { path: ['n'], kind: 'changed', before: 1, after: 2 };
  const above: Change = { ...n, path: ['feeRate', 'numerator'], before: 5, after: 1 };
  const below: Change = { ...n, path: ['feeRate', 'denominator'], before: 100, after: 200 };
  const gone: Change = { path: ['open', '0'], kind: 'removed', before: 'a', after: null };
  const rate = { path: ['feeRate'], kind: 'changed', after: '1/200' };
  const merged = (...changes: Change[]) => [...mergeRates(changes, to).values()];
  expect(merged(n, above, below, gone)).toEqual([n, { ...rate, before: '5/100' }, gone]);
  expect(merged(below)).toEqual([{ ...rate, before: '1/100' }]);
});
