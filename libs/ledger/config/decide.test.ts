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
  it('has the complete configuration before and after', () => {
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
  ])('with %s is accepted', (_name, part) => {
    const state = given(configDecider, [])
      .when({ ...change, ...part })
      .state();
    expect(state.version).toBe(1);
  });

  it('of play money may end and restart the welcome points; of real money never has them', () => {
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
    const started = {
      type: 'ConfigChanged',
      data: { before: defaultConfig, after: giving, reason },
    };
    given(configDecider, [first, ended])
      .when({ ...change, config: giving })
      .yields([started as never]);
    given(configDecider, [{ ...first, data: { before: null, after: defaultConfig, reason } }])
      .when({ ...change, config: giving })
      .rejects('config-invalid');
  });

  it.each([
    [
      'a bound of withdrawals below 0',
      'withdrawal-limit-out-of-range',
      withWithdraw({ dayMaxTokenMinor: -1n }),
    ],
    ['half a lamport', 'low-water-mark-invalid', withWithdraw({ lowWaterLamports: 0.5 })],
    ['no reason', 'reason-invalid', { reason: ' ' }],
    ['unknown rules', 'rules-unknown', { config: withSlot({ rules: 'slot-9' }) }],
    [
      'a minimum below one point',
      'bet-minimum-too-small',
      { config: withSlot({ minStakeMinor: 0n }) },
    ],
    [
      'a maximum below the minimum',
      'bet-maximum-below-minimum',
      { config: withSlot({ minStakeMinor: 500n, maxStakeMinor: 400n }) },
    ],
    ['parts of points', 'bet-limits-not-integer', { config: withSlot({ maxStakeMinor: 150n }) }],
    ['half a line', 'lines-out-of-range', { config: withSlot({ maxLines: 0.5 }) }],
    [
      'negative welcome points',
      'welcome-points-out-of-range',
      { config: { ...defaultConfig, welcomePointsMinor: -1n } },
    ],
    [
      'rates that gain on the way there and back',
      'rates-gain',
      withExchange({ tokenToPoints: { numerator: 101, denominator: 1 } }),
    ],
    [
      'a rate of nothing',
      'rate-invalid',
      withExchange({ pointsToToken: { numerator: 0, denominator: 1 } }),
    ],
    [
      'a rate in parts',
      'rate-invalid',
      withExchange({ pointsToToken: { numerator: 0.5, denominator: 1 } }),
    ],
    [
      'a rate over nothing',
      'rate-invalid',
      withExchange({ tokenToPoints: { numerator: 1, denominator: 0 } }),
    ],
    ['a fee of everything', 'withdrawal-fee-invalid', withFee({ numerator: 5, denominator: 5 })],
    ['a fee below zero', 'withdrawal-fee-invalid', withFee({ numerator: -1, denominator: 100 })],
    ['deposits of nothing', 'deposit-minimum-invalid', withDeposit({ minTokenMinor: 0n })],
    [
      'a largest deposit below the smallest',
      'deposit-minimum-invalid',
      withDeposit({ maxTokenMinor: 1n }),
    ],
    [
      'dust that is a deposit',
      'dust-bound-too-large',
      withDeposit({ dustBelowTokenMinor: defaultConfig.deposit.minTokenMinor + 1n }),
    ],
    [
      'other decimals than the ledger counts in',
      'token-decimals-unsupported',
      withToken({ decimals: 6 }),
    ],
    ['a contract that is no address', 'address-invalid', withToken({ contract: '0xabc' })],
    ['a wallet that is no address', 'address-invalid', withToken({ projectWallet: '' })],
    [
      'a big win multiple of nothing',
      'big-win-multiple-out-of-range',
      { config: { ...defaultConfig, bigWinMultiple: Number.NaN } },
    ],
    ['half a payment', 'withdrawal-count-invalid', withWithdraw({ playerHourMaxCount: 0.5 })],
    [
      'too large a deposit',
      'deposit-maximum-too-large',
      withDeposit({ maxTokenMinor: 10n ** 30n }),
    ],
    [
      'too large a bet',
      'bet-maximum-too-large',
      { config: withSlot({ maxStakeMinor: 10n ** 30n }) },
    ],
    [
      'a negative adjustment',
      'adjustment-limit-out-of-range',
      withPart({ adjust: { ...defaultConfig.adjust, operatorDayMaxTokenMinor: -1n } }),
    ],
    [
      'half a minute between reality checks',
      'reality-check-out-of-range',
      withPart({ protection: { realityCheckMinutes: 0.5 } }),
    ],
  ])('with %s is refused: %s', (_name, code, part) => {
    const faults = [expect.objectContaining({ code })];
    const refused = { rejected: 'config-invalid', detail: {}, faults };
    expect(configDecider.decide(configDecider.initial, { ...change, ...part })).toEqual(refused);
  });
});
