import { given } from '@reelbook/testing/given';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from './config.ts';
import { type ChangeConfig, configDecider } from './decide.ts';

const knownRules = { 'slot-machine': ['slot-1', 'slot-2'] };
const change: ChangeConfig = {
  type: 'ChangeConfig',
  config: defaultConfig,
  reason: 'genesis',
  knownRules,
  by: 'system:test',
  adminsEver: 0,
};
const slot = defaultConfig.games['slot-machine'];
if (!slot) throw new Error('the slot is configured by default');

describe('a change of the configuration', () => {
  it('carries the whole before and after', () => {
    const first = {
      type: 'ConfigChanged',
      data: { before: null, after: defaultConfig, reason: 'genesis' },
    } as const;
    given(configDecider, []).when(change).yields([first]);
    const after = { ...defaultConfig, bigWinMultiple: 10 };
    given(configDecider, [first])
      .when({ ...change, config: after, reason: 'fewer' })
      .yields([{ type: 'ConfigChanged', data: { before: defaultConfig, after, reason: 'fewer' } }]);
  });

  const withSlot = (part: object) => ({
    ...defaultConfig,
    games: { 'slot-machine': { ...slot, ...part } },
  });
  const withPart = (part: object) => ({ config: { ...defaultConfig, ...part } });
  const withExchange = (part: object) =>
    withPart({ exchange: { ...defaultConfig.exchange, ...part } });
  const withWithdraw = (part: object) =>
    withPart({ withdraw: { ...defaultConfig.withdraw, ...part } });
  const withFee = (feeRate: object) => withWithdraw({ feeRate });
  const withDeposit = (part: object) =>
    withPart({ deposit: { ...defaultConfig.deposit, ...part } });
  const withToken = (part: object) => withPart({ token: { ...defaultConfig.token, ...part } });

  it.each([
    ['a product of rates of exactly 1', {}],
    ['no fee', withFee({ numerator: 0, denominator: 1 })],
    ['addresses', withToken({ contract: 'C'.repeat(43), projectWallet: 'P'.repeat(44) })],
  ])('with %s is taken', (_name, part) => {
    const state = given(configDecider, [])
      .when({ ...change, ...part })
      .state();
    expect(state.version).toBe(1);
  });

  it('may end the welcome points, and never begins them', () => {
    const giving = { ...defaultConfig, welcomePointsMinor: 100n };
    const reason = 'genesis';
    const first = {
      type: 'ConfigChanged',
      data: { before: null, after: giving, reason },
    } as const;
    const ended = {
      type: 'ConfigChanged',
      data: { before: giving, after: defaultConfig, reason },
    } as const;
    given(configDecider, [])
      .when({ ...change, config: giving })
      .yields([first]);
    given(configDecider, [first]).when(change).yields([ended]);
    given(configDecider, [first, ended])
      .when({ ...change, config: giving })
      .rejects('config-invalid');
  });

  it.each([
    ['a bound of withdrawals below 0', withWithdraw({ dayMaxTokenMinor: -1n })],
    ['half a lamport', withWithdraw({ lowWaterLamports: 0.5 })],
    ['no reason', { reason: ' ' }],
    ['unknown rules', { config: withSlot({ rules: 'slot-9' }) }],
    ['a minimum below one point', { config: withSlot({ minStakeMinor: 99n }) }],
    [
      'a maximum below the minimum',
      { config: withSlot({ minStakeMinor: 500n, maxStakeMinor: 400n }) },
    ],
    ['parts of points', { config: withSlot({ maxStakeMinor: 150n }) }],
    ['half a line', { config: withSlot({ maxLines: 0.5 }) }],
    ['negative welcome points', { config: { ...defaultConfig, welcomePointsMinor: -1n } }],
    [
      'rates that gain on the way there and back',
      withExchange({ tokenToPoints: { numerator: 101, denominator: 1 } }),
    ],
    ['a rate of nothing', withExchange({ pointsToToken: { numerator: 0, denominator: 1 } })],
    ['a rate in parts', withExchange({ pointsToToken: { numerator: 0.5, denominator: 1 } })],
    ['a rate over nothing', withExchange({ tokenToPoints: { numerator: 1, denominator: 0 } })],
    ['a fee of everything', withFee({ numerator: 5, denominator: 5 })],
    ['a fee below zero', withFee({ numerator: -1, denominator: 100 })],
    ['deposits of nothing', withDeposit({ minTokenMinor: 0n })],
    ['a largest deposit below the smallest', withDeposit({ maxTokenMinor: 1n })],
    ['other decimals than the ledger counts in', withToken({ decimals: 6 })],
    ['a contract that is no address', withToken({ contract: '0xabc' })],
    ['a wallet that is no address', withToken({ projectWallet: '' })],
    ['a big win multiple of nothing', { config: { ...defaultConfig, bigWinMultiple: Number.NaN } }],
  ])('with %s is refused', (_name, part) => {
    given(configDecider, [])
      .when({ ...change, ...part })
      .rejects('config-invalid');
  });
});
