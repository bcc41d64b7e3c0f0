import { assert } from '@reelbook/ledger/assert';

/** 1 comet, 2 crown, 3 clover, 4 coin. */
export type SymbolId = 1 | 2 | 3 | 4;
export type Reels = readonly [SymbolId, SymbolId, SymbolId];

export const SYMBOL_IDS: readonly SymbolId[] = [1, 2, 3, 4];
export const SYMBOL_NAMES = { 1: 'comet', 2: 'crown', 3: 'clover', 4: 'coin' } as const;

/** The row that pays nothing: three different symbols. */
export const NO_WIN = 'no-win';
/** All weights of a paytable, the row without a win included, sum to this. */
export const WEIGHT_TOTAL = 10_000;

export interface Award {
  readonly row: string;
  readonly symbol: SymbolId;
  readonly alike: 2 | 3;
  /** Twice the multiple of the stake, so that 1.5x is an integer. */
  readonly halves: number;
}

/** Best first: only the first matching row pays. */
export const AWARDS: readonly Award[] = [
  { row: 'three-comets', symbol: 1, alike: 3, halves: 50 },
  { row: 'three-crowns', symbol: 2, alike: 3, halves: 24 },
  { row: 'three-clovers', symbol: 3, alike: 3, halves: 16 },
  { row: 'three-coins', symbol: 4, alike: 3, halves: 12 },
  { row: 'two-comets', symbol: 1, alike: 2, halves: 8 },
  { row: 'two-crowns', symbol: 2, alike: 2, halves: 6 },
  { row: 'two-clovers', symbol: 3, alike: 2, halves: 4 },
  { row: 'two-coins', symbol: 4, alike: 2, halves: 3 },
];

export interface Row {
  readonly row: string;
  readonly weight: number;
  /** Null for the row without a win. */
  readonly award: Award | null;
}

/**
 * One version of the rules. It never changes once a bet has used it: another paytable is another version.
 */
export interface SlotRules {
  readonly id: string;
  readonly rows: readonly Row[];
  readonly maxWinMinor: bigint;
  /** The published text, one fact per line. */
  readonly text: string;
}

/** 10,000 points, in hundredths. */
const MAX_WIN_MINOR = 1_000_000n;

/**
 * slot-1 returns 24/25. slot-2 returns 19/20: 25 in 10,000 move from three coins to two clovers; hit rate and top award
 * are the same.
 */
export const SLOT_RULES: readonly SlotRules[] = [
  version('slot-1', [8, 35, 110, 200, 300, 600, 900, 1400], 6447),
  version('slot-2', [8, 35, 110, 175, 300, 600, 925, 1400], 6447),
];

/** The rules under an id; throws `Bug` for one that does not exist. */
export function slotRules(id: string): SlotRules {
  const rules = SLOT_RULES.find((candidate) => candidate.id === id);
  assert(rules, `slot machine rules ${id} exist`);
  return rules;
}

function version(id: string, weights: readonly number[], noWinWeight: number): SlotRules {
  assert(weights.length === AWARDS.length, `${id} weighs every award`);
  const rows: Row[] = AWARDS.map((award, i) => ({
    row: award.row,
    weight: weights[i] ?? 0,
    award,
  }));
  rows.push({ row: NO_WIN, weight: noWinWeight, award: null });
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  assert(total === WEIGHT_TOTAL, `the weights of ${id} sum to ${WEIGHT_TOTAL}`);
  assert(
    rows.every(({ weight }) => Number.isInteger(weight) && weight > 0),
    `every row of ${id} can happen`,
  );
  const rules = { id, rows, maxWinMinor: MAX_WIN_MINOR };
  return { ...rules, text: textOf(rules) };
}

/**
 * The id, then each row with its weight and doubled multiple in the order in which the first draw
 * counts them, then the cap in minor units, then how the draws are used.
 */
function textOf(rules: Omit<SlotRules, 'text'>): string {
  return [
    `rules ${rules.id}`,
    ...rules.rows.map(({ row, weight, award }) => `${row} ${weight} ${award?.halves ?? 0}/2`),
    `cap ${rules.maxWinMinor}`,
    `draw row below ${WEIGHT_TOTAL}, arrangement below count in ascending order`,
  ].join('\n');
}

/** The payout of an award on a stake, in minor units, under the cap. */
export function payout(rules: SlotRules, award: Award | null, stakeMinor: bigint): bigint {
  const doubledMinor = stakeMinor * BigInt(award?.halves ?? 0);
  assert(doubledMinor % 2n === 0n, 'half a multiple of integer points is exact');
  const fullMinor = doubledMinor / 2n;
  return fullMinor > rules.maxWinMinor ? rules.maxWinMinor : fullMinor;
}
