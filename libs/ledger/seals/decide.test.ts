import { given } from '@reelbook/testing/given';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { postings } from '../event-types.ts';
import { marginDeltaMinor, takesCover } from '../invariants.ts';
import { type LedgerSealed, SEAL_EVENTS_MAX, type SealLedger, sealsDecider } from './decide.ts';

const [ROOT, OTHER, HASH] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
];
const seal = (from: number, to: number, change: Partial<SealLedger> = {}): SealLedger => ({
  type: 'SealLedger',
  from,
  to,
  root: ROOT,
  chainHash: HASH,
  ...change,
});
const first: LedgerSealed = {
  type: 'LedgerSealed',
  data: { seal: 1, from: 1, to: 10, root: ROOT, chainHash: HASH, previousRoot: null },
};

describe('a seal', () => {
  it('begins at the first event, and each next one where the last ended', () => {
    given(sealsDecider, []).when(seal(1, 10)).yields([first]);
    given(sealsDecider, [first])
      .when(seal(11, 11, { root: OTHER }))
      .yields([
        {
          type: 'LedgerSealed',
          data: { seal: 2, from: 11, to: 11, root: OTHER, chainHash: HASH, previousRoot: ROOT },
        },
      ]);
  });
  it.each([1, 5, 12])('from %d, which does not follow the last one, appends no event', (from) => {
    given(sealsDecider, [first]).when(seal(from, 20)).yields([]);
  });
  it.each([
    seal(1, 0),
    seal(1, SEAL_EVENTS_MAX + 1),
    seal(1, 1.5),
    seal(1, 5, { root: 'A'.repeat(64) }),
    seal(1, 5, { chainHash: '' }),
  ])('of $from to $to, root $root, is invalid', (command) => {
    expect(() => given(sealsDecider, []).when(command)).toThrow(Bug);
  });
  it('moves nothing and promises nothing', () => {
    expect(postings(first, 'seals')).toEqual([]);
    expect(marginDeltaMinor([first], 'seals')).toBe(0n);
    expect(takesCover([first])).toBe(false);
  });
});
