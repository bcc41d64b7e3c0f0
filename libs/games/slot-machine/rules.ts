import { assert, Bug } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import type { Draws } from '../fairness/draw.ts';
import { fraction } from '../fraction.ts';
import type { DrawInput, Drawn, Game, Odds } from '../game.ts';
import { oddsOf } from '../odds.ts';
import {
  AWARDS,
  type Award,
  NO_WIN,
  payout,
  type Reels,
  type Row,
  SLOT_RULES,
  type SlotRules,
  SYMBOL_IDS,
  slotRules,
  WEIGHT_TOTAL,
} from './paytable.ts';

/** The published odds of one version, counted from the weights. */
function slotOdds(rules: SlotRules): Odds {
  const rows = rules.rows.flatMap(({ row, weight, award }) => {
    if (!award) return [];
    const { symbol, alike, halves } = award;
    const chance = fraction(BigInt(weight), BigInt(WEIGHT_TOTAL));
    const symbols = [symbol, symbol, alike === 3 ? symbol : null];
    return { row, symbols, hundredths: 50 * halves, weight, of: WEIGHT_TOTAL, chance };
  });
  return oddsOf({ rules: rules.id, text: rules.text, maxWinMinor: rules.maxWinMinor, rows });
}

/** The outcome of a slot round in the ledger; the rest follows from it. */
type SlotOutcome = Outcome & { readonly symbols: Reels };

/** What the reels show. */
interface SlotShown {
  readonly symbols: Reels;
  /** A row of the paytable, or "no-win". */
  readonly row: string;
  /** Of the stake, before the cap: 25, 1.5, 0 for no win. */
  readonly multiple: number;
  /** Three of symbol 1. */
  readonly isJackpot: boolean;
}

export const slotMachine: Game<SlotOutcome> = {
  id: 'slot-machine',
  apiKey: 'slot_machine',
  title: 'Slot machine',
  defaults: {
    rules: 'slot-1',
    minStakeMinor: 100n,
    maxStakeMinor: 100_000n,
    maxLines: 25,
    enabled: true,
  },
  rulesIds: SLOT_RULES.map(({ id }) => id),
  draw,
  odds: (rules) => slotOdds(slotRules(rules)),
  describe: (outcome) => readSlotOutcome(outcome).row.replaceAll('-', ' '),
  timed: null,
  choice: null,
};

/** The first draw selects the row by its weight, the second one of the arrangements that show it. */
function draw({ rules: id, stakeMinor, draws }: DrawInput): Drawn<SlotOutcome> {
  const rules = slotRules(id);
  const { row, award } = pickRow(rules, draws);
  const shows = arrangements(row);
  const symbols = shows[draws.below(shows.length)];
  assert(symbols, 'the draw is below the number of arrangements');
  return { outcome: { symbols }, payoutMinor: payout(rules, award, stakeMinor) };
}

function pickRow(rules: SlotRules, draws: Draws): Row {
  let left = draws.below(WEIGHT_TOTAL);
  for (const row of rules.rows) {
    if (left < row.weight) return row;
    left -= row.weight;
  }
  throw new Bug(`the weights of ${rules.id} do not sum to ${WEIGHT_TOTAL}`);
}

/**
 * The award of three symbols in any order, or null. Only the best pays, and there is only one.
 */
export function evaluate(symbols: Reels): Award | null {
  const shown = (award: Award) => symbols.filter((symbol) => symbol === award.symbol).length;
  return AWARDS.find((award) => shown(award) >= award.alike) ?? null;
}

/** The reels that show the award: all false for no win. */
export function winningReels(symbols: Reels): readonly [boolean, boolean, boolean] {
  const award = evaluate(symbols);
  const wins = (i: 0 | 1 | 2) => award !== null && symbols[i] === award.symbol;
  return [wins(0), wins(1), wins(2)];
}

const ARRANGEMENTS = arrangementsByRow();

/** All arrangements of a row, in ascending order of the symbols, left reel first. */
export function arrangements(row: string): readonly Reels[] {
  const found = ARRANGEMENTS.get(row);
  assert(found, `the reels can show ${row}`);
  return found;
}

function arrangementsByRow(): ReadonlyMap<string, readonly Reels[]> {
  const byRow = new Map<string, Reels[]>();
  for (const a of SYMBOL_IDS)
    for (const b of SYMBOL_IDS)
      for (const c of SYMBOL_IDS) {
        const symbols: Reels = [a, b, c];
        const row = evaluate(symbols)?.row ?? NO_WIN;
        byRow.set(row, [...(byRow.get(row) ?? []), symbols]);
      }
  return byRow;
}

/** Reads the outcome of a slot round. Throws `Bug` for anything else. */
export function readSlotOutcome({ symbols }: Outcome): SlotShown {
  assert(Array.isArray(symbols) && symbols.length === 3, 'a slot outcome shows three symbols');
  assert(
    symbols.every((id) => SYMBOL_IDS.includes(id)),
    'a symbol is 1 to 4',
  );
  const reels = symbols as unknown as Reels;
  const award = evaluate(reels);
  const [row, multiple] = [award?.row ?? NO_WIN, (award?.halves ?? 0) / 2];
  return { symbols: reels, row, multiple, isJackpot: award === AWARDS[0] };
}

/** Whether the cap reduced the payout. */
export function isCapped(
  { multiple }: SlotShown,
  { stakeMinor, payoutMinor }: { readonly stakeMinor: bigint; readonly payoutMinor: bigint },
): boolean {
  return 2n * payoutMinor < BigInt(2 * multiple) * stakeMinor;
}
