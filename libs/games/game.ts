import type { GameConfig } from '@reelbook/ledger/config/config';
import type { Choice, Outcome } from '@reelbook/ledger/player/events';
import type { RoundDraws } from './fairness/draw.ts';
import type { Fraction } from './fraction.ts';

/**
 * A game. It is pure: all chance comes from `draws`, and rules are data under an id that every bet records, so any round
 * can be drawn again later. A new game is a folder and a line in rules.ts and in faces.tsx: docs/add-a-game.md.
 */
export interface Game<O extends Outcome = Outcome> {
  /** The id in the ledger, in paths and in the configuration: "slot-machine". */
  readonly id: string;
  /** The key in the player API: "slot_machine". */
  readonly apiKey: string;
  /** The displayed name: "Slot machine". */
  readonly title: string;
  /** The first configuration of the game in a ledger. */
  readonly defaults: GameConfig;
  /** Every version of its rules that a bet may name, oldest first. None is ever removed. */
  readonly rulesIds: readonly string[];
  /**
   * Plays one round. Deterministic: equal input and equal draws give an equal result. A limit of
   * the rules pays less; it never refuses. Throws `Bug` for rules that are not in `rulesIds`.
   */
  draw(input: DrawInput): Drawn<O>;
  /**
   * The odds of these rules, as exact fractions; of a game with a choice, for that choice or for the initial one.
   * Throws `Bug` for rules that are not in `rulesIds`, and for a choice that the game does not have.
   */
  odds(rules: string, choice?: Choice): Odds;
  /** A short description of an outcome: "three-crowns", "level 7". Throws `Bug` for another game's. */
  describe(outcome: Outcome): string;
  /** Null for a game that settles in the command that takes its stake. */
  readonly timed: Timed | null;
  /** Null for a game whose player chooses only the stake. A timed game has none. */
  readonly choice: ChoiceTerms | null;
}

/**
 * A timed game. The stake is taken at the start, and the player receives the seed of the round, from which page and
 * server run the same simulation; the round settles when its ticks are over. Its stake is a fee: the minimum bet of the
 * configuration.
 */
export interface Timed {
  /** The number of ticks of a round; it is not settled sooner. Throws `Bug` for another game's outcome. */
  ticksOf(outcome: Outcome): number;
  /** The figures that a page reports when its round is over, and their types. */
  readonly fields: Readonly<Record<string, 'integer' | 'boolean'>>;
  /** The figures that a page must report for this outcome, by the names of `fields`. */
  reportOf(outcome: Outcome): Report;
  /** The chance in percent that a tick is the last one. */
  endPercent(rules: string): number;
}

/** The values of one field of a choice: the integers of a range, or some words. */
export type ChoiceField =
  | { readonly min: number; readonly max: number }
  | { readonly oneOf: readonly string[] };

/** A player's choice with a bet. Odds are published for every choice, so there are few of them. */
export interface ChoiceTerms {
  readonly fields: Readonly<Record<string, ChoiceField>>;
  /** The first choice that a page shows, and the one whose odds represent the game. */
  readonly initial: Choice;
}

export type Report = Readonly<Record<string, number | boolean>>;

export interface DrawInput {
  readonly rules: string;
  readonly stakeMinor: bigint;
  readonly lines: number;
  /** Only of a game with a choice; checked by `choiceProblem`. */
  readonly choice?: Choice | undefined;
  readonly draws: RoundDraws;
}

export interface Drawn<O extends Outcome = Outcome> {
  /**
   * JSON with the complete draw: it is shown and replayed without the rules.
   */
  readonly outcome: O;
  readonly payoutMinor: bigint;
}

/** The published odds of one version of a game's rules. */
export interface Odds {
  readonly rules: string;
  /** The rules as published text, one fact per line. */
  readonly rulesText: string;
  /** SHA-256 of that text, so that an id always means the same rules. */
  readonly rulesHash: string;
  /** The largest payout of a round. */
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
   * The return over the stakes from..to (integer points), split where the cap begins to apply to another row.
   */
  returnByBet(fromBet: number, toBet: number): readonly ReturnBand[];
}

export interface PaytableRow {
  readonly row: string;
  /** The symbols that make the row, null for any; empty for a game without symbols. */
  readonly symbols: readonly (number | null)[];
  /**
   * Payout over stake, in hundredths: a stake of integer points pays an integer of minor units. See `paidMinor`.
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
 * Stakes in integer points, both ends included; `low` is the worst return among them, `high` the best.
 */
export interface ReturnBand {
  readonly fromBet: number;
  readonly toBet: number;
  readonly low: Fraction;
  readonly high: Fraction;
}

/** The properties of a game's view in views.tsx: a finished round. */
export interface RoundViewProps {
  /** As the game wrote it into the ledger. */
  readonly outcome: Outcome;
  /** Only of a game with a choice. */
  readonly choice?: Choice | undefined;
  /** Of a timed game: the tick to show, from 1; the last one by default. */
  readonly tick?: number;
  readonly reducedMotion?: boolean;
}
