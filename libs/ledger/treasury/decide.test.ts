import { given } from '@reelbook/testing/given';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { marginDeltaMinor, takesCover } from '../invariants.ts';
import { anchorMemo } from './anchor.ts';
import { type AnchorSeal, treasuryDecider } from './decide.ts';
import type { SealAnchored, TreasuryObserved } from './events.ts';

const observe = (tokenMinor: bigint) =>
  ({ type: 'ObserveTreasury', tokenMinor, source: 'a test' }) as const;
const observed = (tokenMinor: bigint, previousTokenMinor: bigint): TreasuryObserved => ({
  type: 'TreasuryObserved',
  data: { tokenMinor, previousTokenMinor, source: 'a test' },
});

describe('an observation of the treasury', () => {
  it('names the previous observation, 0 at first', () => {
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
  it('without a change appends no event', () => {
    given(treasuryDecider, [observed(10n, 0n)])
      .when(observe(10n))
      .yields([]);
  });
  it('changes the cover by its difference, and is never refused for it', () => {
    expect(marginDeltaMinor([observed(4n, 10n)], 'treasury')).toBe(-6n);
    expect(takesCover([observed(4n, 10n)])).toBe(false);
  });
  it.each([-1n, 2n ** 64n])('of %d is invalid', (tokenMinor) => {
    expect(() => given(treasuryDecider, []).when(observe(tokenMinor))).toThrow(Bug);
  });
});

const anchor = (fromSeal: number, seal: number, change: Partial<AnchorSeal> = {}): AnchorSeal => {
  const seals = { fromSeal, seal, root: 'a'.repeat(64), sealsRoot: 'b'.repeat(64), ...change };
  return {
    type: 'AnchorSeal',
    ...seals,
    recorded: seals,
    wallet: 'W'.repeat(43),
    signature: '5'.repeat(87),
    slot: 7,
    ...change,
  };
};
const anchored = (fromSeal: number, seal: number): SealAnchored => {
  const { type: _, recorded: __, ...data } = anchor(fromSeal, seal);
  return { type: 'SealAnchored', data };
};

describe('an anchor of seals', () => {
  it('begins after the last one', () => {
    given(treasuryDecider, [])
      .when(anchor(1, 3))
      .yields([anchored(1, 3)]);
    given(treasuryDecider, [anchored(1, 3)])
      .when(anchor(4, 4))
      .yields([anchored(4, 4)]);
  });
  it.each([1, 3, 5])('from seal %d, which is not the next one, appends no event', (fromSeal) => {
    given(treasuryDecider, [anchored(1, 3)])
      .when(anchor(fromSeal, 9))
      .yields([]);
  });
  it.each([
    anchor(1, 0),
    anchor(1, 1.5),
    anchor(1, 5_000),
    anchor(1, 2, { root: 'A'.repeat(64) }),
    anchor(1, 2, { sealsRoot: '' }),
    anchor(1, 2, { signature: '0'.repeat(87) }),
    anchor(1, 2, { slot: -1 }),
  ])('up to seal $seal, root $root, in $signature, is invalid', (command) => {
    expect(() => given(treasuryDecider, []).when(command)).toThrow(Bug);
  });
  it.each([{ root: 'c'.repeat(64) }, { sealsRoot: 'c'.repeat(64) }, { seal: 4 }, null])(
    'is none of seals recorded with %o',
    (change) => {
      const memo = anchor(1, 3);
      const recorded = change && { ...memo, ...change };
      expect(() => given(treasuryDecider, []).when({ ...memo, recorded })).toThrow(Bug);
    },
  );
  it('does not change the cover', () => {
    expect(marginDeltaMinor([anchored(1, 3)], 'treasury')).toBe(0n);
    expect(takesCover([anchored(1, 3)])).toBe(false);
    expect(anchorMemo(anchored(1, 3).data)).toBe(
      `reelbook-anchor-1 seals 1-3 root ${'a'.repeat(64)} all ${'b'.repeat(64)}`,
    );
  });
});
