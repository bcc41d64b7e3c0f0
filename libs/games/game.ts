import type { GameConfig } from '@reelbook/ledger/config/config';
import type { Choice, Outcome } from '@reelbook/ledger/player/events';
import type { RoundDraws } from './fairness/draw.ts';
import type { Fraction } from './fraction.ts';

/**
 * What a game is to the rest of Reelbook. It is pure: all chance comes from `draws`, and rules are
 * data under an id that every bet records, so any round can be drawn again years later. A new game
 * is a folder and a line in rules.ts.
 */
export interface Game<O extends Outcome = Outcome> {
  /** As it stands in the ledger, in paths and in the configuration: "slot-machine". */
  readonly id: string;
  /** As the player API keys it: "slot_machine". */
  readonly apiKey: string;
  /** Its name for people: "Slot machine". */
  readonly title: string;
  /** What a ledger that does not know the game yet is configured with. */
  readonly defaults: GameConfig;
  /** Every version of its rules that a bet may name, oldest first. None is ever taken away. */
  readonly rulesIds: readonly string[];
  /**
   * Plays one round. Deterministic: equal input and equal draws give an equal result. A limit of
   * the rules pays less; it never refuses. Throws `Bug` for rules that are not in `rulesIds`.
   */
  draw(input: DrawInput): Drawn<O>;
  /**
   * What these rules promise, as exact fractions; of a game with a choice, for that choice or for the initial one.
   * Throws `Bug` for rules that are not in `rulesIds`, and for a choice that the game does not have.
   */
  odds(rules: string, choice?: Choice): Odds;
  /** What a round showed, in few words: "three-crowns", "level 7". Throws `Bug` for another game's. */
  describe(outcome: Outcome): string;
  /** Null for a game that settles in the very command that takes its stake. */
  readonly timed: Timed | null;
  /** Null for a game whose player chooses nothing but the stake. A game that lasts has none. */
  readonly choice: ChoiceTerms | null;
}

/**
 * A game whose rounds last. The stake is taken at the start, and with it the player gets the seed of
 * the round, from which page and server run the same simulation; it settles when its ticks are over.
 * Its stake is a fee: the least that the configuration allows.
 */
export interface Timed {
  /** How many ticks a round lasts: it is not settled sooner. Throws `Bug` for another game's outcome. */
  ticksOf(outcome: Outcome): number;
  /** What a page reports when its round is over, and of which kind each figure is. */
  readonly fields: Readonly<Record<string, 'integer' | 'boolean'>>;
  /** The figures that a page must report of a round with this outcome, by the names of `fields`. */
  reportOf(outcome: Outcome): Report;
  /** The chance, in percent, that a tick is the last one. */
  endPercent(rules: string): number;
}

/** The values of one field of a choice: the integers of a range, or some words. */
export type ChoiceField =
  | { readonly min: number; readonly max: number }
  | { readonly oneOf: readonly string[] };

/** What a player chooses with a bet. Odds are published for every choice, so there are few of them. */
export interface ChoiceTerms {
  readonly fields: Readonly<Record<string, ChoiceField>>;
  /** What a page shows first, and whose odds stand for the game where one figure is asked for. */
  readonly initial: Choice;
}

export type Report = Readonly<Record<string, number | boolean>>;

export interface DrawInput {
  readonly rules: string;
  readonly stakeMinor: bigint;
  readonly lines: number;
  /** Of a game that has one: it was checked by `choiceProblem`. */
  readonly choice?: Choice | undefined;
  readonly draws: RoundDraws;
}

export interface Drawn<O extends Outcome = Outcome> {
  /**
   * JSON that says in full what was drawn: it is shown and replayed without asking the rules again.
   */
  readonly outcome: O;
  readonly payoutMinor: bigint;
}

/** The published mathematics of one version of a game's rules. */
export interface Odds {
  readonly rules: string;
  /** The rules as published text, one fact a line. */
  readonly rulesText: string;
  /** SHA-256 of that text: the same id never means other rules. */
  readonly rulesHash: string;
  /** The most that one round pays. */
  readonly maxWinMinor: bigint;
  /**
   * Return, share of rounds that pay, and variance of payout over stake, at stakes that the cap
   * does not touch.
   */
  readonly expectedReturn: Fraction;
  readonly hitRate: Fraction;
  readonly variance: Fraction;
  /** Rows that pay, best first. */
  readonly paytable: readonly PaytableRow[];
  /** The return at one stake, with the cap. */
  returnAt(stakeMinor: bigint): Fraction;
  /**
   * The return over the stakes from..to (whole points), split where the cap begins to touch another
   * row.
   */
  returnByBet(fromBet: number, toBet: number): readonly ReturnBand[];
}

export interface PaytableRow {
  readonly row: string;
  /** The symbols that make the row, null for any; empty for a game without symbols. */
  readonly symbols: readonly (number | null)[];
  /**
   * Payout over stake, exact in hundredths whatever unit a paytable is written in: a stake of whole points then pays
   * whole minor units. See `paidMinor`.
   */
  readonly multiple: number;
  /** The chance as `weight` in `of`: exact where a weight picks the row, else rounded. */
  readonly weight: number;
  readonly of: number;
  readonly chance: Fraction;
  /** The chance in words: "1 in 1,250". */
  readonly odds: string;
}

const HUNDREDTHS = 100;

/** What a row pays on a stake, in minor units, under the cap. */
export function paidMinor(
  { multiple }: Pick<PaytableRow, 'multiple'>,
  { stakeMinor, maxWinMinor }: { readonly stakeMinor: bigint } & Pick<Odds, 'maxWinMinor'>,
): bigint {
  const full = (stakeMinor * BigInt(Math.round(multiple * HUNDREDTHS))) / BigInt(HUNDREDTHS);
  return full > maxWinMinor ? maxWinMinor : full;
}

/**
 * Stakes in whole points, both ends included; `low` is the worst return among them, `high` the
 * best.
 */
export interface ReturnBand {
  readonly fromBet: number;
  readonly toBet: number;
  readonly low: Fraction;
  readonly high: Fraction;
}

/** What a game's view in views.tsx is given: a round that was played, to be shown as it went. */
export interface RoundViewProps {
  /** As the game wrote it into the ledger. */
  readonly outcome: Outcome;
  /** Of a game that has one. */
  readonly choice?: Choice | undefined;
  /** Of a game that lasts: the tick to show, from 1; the last one when not given. */
  readonly tick?: number;
  readonly reducedMotion?: boolean;
}
