import { given } from '@reelbook/testing/given';
import { describe, it } from 'vitest';
import { defaultConfig } from './config.ts';
import { type ChangeConfig, configDecider } from './decide.ts';

const knownRules = { 'slot-machine': ['slot-1', 'slot-2'] };
const change: ChangeConfig = {
  type: 'ChangeConfig',
  config: defaultConfig,
  reason: 'genesis',
  knownRules,
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
  it.each([
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
    ['a big win multiple of nothing', { config: { ...defaultConfig, bigWinMultiple: Number.NaN } }],
  ])('with %s is refused', (_name, part) => {
    given(configDecider, [])
      .when({ ...change, ...part })
      .rejects('config-invalid');
  });
});
