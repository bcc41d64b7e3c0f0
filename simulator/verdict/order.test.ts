/** The judge of the order must not be blind: each fault is made by hand. */
import type { PlacedEvent } from '@reelbook/ledger/events';
import { createWallet } from '@reelbook/testing/wallets';
import { expect, test } from 'vitest';
import { createJournal, type Listed, type Timed } from '../client/journal.ts';
import { examineOrder } from './order.ts';

const WALLET = createWallet(1).address;

/** Each event leaves a point and a BSM less, except the first, which has no balance. The last two are of other commands. */
const LEDGER = [
  ...[1, 2, 3, 4].map((version) => [
    placed(version, 'BetLost', {
      round: `r${version}`,
      ...(version > 1 && { after: left(version) }),
    }),
  ]),
  [
    placed(5, 'SeedRevealed', { pair: 1 }),
    placed(6, 'SeedsCommitted', { pair: 2 }),
    placed(7, 'ClientSeedChanged', { pair: 2 }),
  ],
  [placed(8, 'BalanceAdjusted', { reason: 'a gift', after: left(8) })],
];

function left(version: number) {
  return {
    pointsMinor: BigInt(1_000 - version) * 100n,
    tokenMinor: BigInt(50 - version) * 10n ** 9n,
  };
}

function placed(version: number, type: string, data: object): PlacedEvent {
  const place = { stream: `player-${WALLET}`, version, position: version * 10 };
  return { ...place, event: { type, data } } as unknown as PlacedEvent;
}

const call = (
  writes: boolean,
  version: Timed['version'],
  [begunMs, endedMs]: readonly [number, number],
  points: number | null = typeof version === 'number' ? 1_000 - version : null,
  tokens: number | null = typeof version === 'number' ? 50 - version : null,
): Timed => ({ writes, version, begunMs, endedMs, points, tokens });

function faultsOf(...history: readonly Timed[]): readonly string[] {
  const journal = createJournal(WALLET);
  journal.history.push(...history);
  return examineOrder(LEDGER, [journal]).faults;
}

test('calls in order, and at the same time in any order, are sound', () => {
  expect(
    faultsOf(
      call(true, 2, [0, 10]),
      call(false, 2, [11, 20]),
      call(true, 4, [30, 60]),
      call(true, 3, [31, 50]),
      call(false, 3, [55, 70]),
      call(false, 4, [61, 80]),
      call(true, { pair: 2 }, [81, 90]),
      call(true, { reason: 'a gift' }, [91, 120]),
      call(false, 7, [92, 130], 996, 46),
      call(false, 8, [125, 140], 992, null),
    ),
  ).toEqual([]);
});

test('a settlement that a gateway made before it was reported is sound, from the begin of its round on', () => {
  expect(
    faultsOf(call(true, 2, [0, 10]), call(true, 4, [20, 30]), call(false, 3, [10, 50])),
  ).toEqual([]);
});

test.each([
  ['a read of what was before an ended write', call(false, 2, [21, 30])],
  ['a write before an ended write', call(true, 2, [21, 30])],
  ['a write at the version of an ended one', call(true, 3, [21, 30])],
  ['a balance that the ledger never had', call(false, 3, [21, 30], 1)],
  ['BSM that the ledger never had', call(false, 3, [21, 30], 997, 1)],
  ['points after another version', call(false, 4, [21, 30], 997, 46)],
  ['a version that the ledger does not have', call(false, 9, [21, 30])],
  ['a rotation that the ledger does not have', call(true, { pair: 3 }, [21, 30])],
  ['an adjustment that the ledger does not have', call(true, { reason: 'a theft' }, [21, 30])],
  ['the version of a write at the same time', call(true, 3, [11, 21])],
])('%s is a fault', (_, late) => {
  expect(faultsOf(call(true, 3, [10, 20]))).toEqual([]);
  expect(faultsOf(call(true, 3, [10, 20]), late)).toHaveLength(1);
});

test.each([
  ['a rotation', call(true, { pair: 2 }, [10, 20]), call(true, 4, [21, 30])],
  ['an adjustment', call(true, { reason: 'a gift' }, [10, 20]), call(true, { pair: 2 }, [21, 30])],
  ['an adjustment', call(true, { reason: 'a gift' }, [10, 20]), call(false, 7, [21, 30], 996, 46)],
])('what is before %s that had ended is a fault', (_, ended, late) => {
  expect(faultsOf(ended)).toEqual([]);
  expect(faultsOf(ended, late)).toHaveLength(1);
});

const faultsOfList = (rounds: readonly string[], more: Omit<Listed, 'rounds'>) => {
  const journal = createJournal(WALLET);
  journal.lists.push({ rounds, ...more });
  return examineOrder(LEDGER, [journal]).faults;
};

test('a list of a position that its player knew or of a later one is sound; one of the leader may be late', () => {
  const by = 'standby';
  expect(faultsOfList([], { known: 0, position: 5, by })).toEqual([]);
  expect(faultsOfList(['r2', 'r1'], { known: 25, position: 25, by })).toEqual([]);
  expect(faultsOfList(['r3', 'r2', 'r1'], { known: 20, position: 39, by })).toEqual([]);
  expect(faultsOfList(['r1'], { known: 30, position: 30, by: 'leader' })).toEqual([]);
  expect(faultsOfList(['r1'], { known: 30, position: 30, by: null })).toEqual([]);
});

test.each([
  ['of an earlier position than its player knew', ['r2', 'r1'], 30, 29, 'leader'],
  ['of a standby without a round that its player knew', ['r1'], 20, 30, 'standby'],
  ['of a standby without any round', [], 20, 30, 'standby'],
  ['with a later round than its position', ['r3', 'r2', 'r1'], 0, 29, 'leader'],
  ['with a hole', ['r3', 'r1'], 30, 30, 'leader'],
  ['in another order', ['r1', 'r2'], 0, 30, 'leader'],
  ['with a round that the ledger does not have', ['r9', 'r4'], 0, 50, 'standby'],
] as const)('a list %s is a fault', (_, rounds, known, position, by) => {
  expect(faultsOfList(rounds, { known, position, by })).toHaveLength(1);
});
