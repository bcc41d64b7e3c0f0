import { given } from '@reelbook/testing/given';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { marginDeltaMinor, takesCover } from '../margin.ts';
import { treasuryDecider } from './decide.ts';
import type { TreasuryObserved } from './events.ts';

const observe = (tokenMinor: bigint) =>
  ({ type: 'ObserveTreasury', tokenMinor, source: 'a test' }) as const;
const observed = (tokenMinor: bigint, previousTokenMinor: bigint): TreasuryObserved => ({
  type: 'TreasuryObserved',
  data: { tokenMinor, previousTokenMinor, source: 'a test' },
});

describe('an observation of the treasury', () => {
  it('names what was seen before, 0 at first', () => {
    given(treasuryDecider, [])
      .when(observe(0n))
      .yields([observed(0n, 0n)]);
    given(treasuryDecider, [])
      .when(observe(10n))
      .yields([observed(10n, 0n)]);
    given(treasuryDecider, [observed(10n, 0n)])
      .when(observe(4n))
      .yields([observed(4n, 10n)]);
  });
  it('of no change is no event', () => {
    given(treasuryDecider, [observed(10n, 0n)])
      .when(observe(10n))
      .yields([]);
  });
  it('moves the cover by its difference, and is refused for none', () => {
    expect(marginDeltaMinor([observed(4n, 10n)], 'treasury')).toBe(-6n);
    expect(takesCover([observed(4n, 10n)])).toBe(false);
  });
  it.each([-1n, 10n ** 18n + 1n])('of %d is no observation', (tokenMinor) => {
    expect(() => given(treasuryDecider, []).when(observe(tokenMinor))).toThrow(Bug);
  });
});
