import { assert } from '@reelbook/ledger/assert';
import type { Outcome } from '@reelbook/ledger/player/events';
import { createDrawsOfRound } from '../fairness/draw.ts';
import type { DrawInput, Drawn, Game } from '../game.ts';
import {
  type Ending,
  endingAt,
  isLast,
  lasts,
  payoutMinor,
  readCount,
  readTimed,
  type TimedOutcome,
  timedOdds,
} from '../timed.ts';
import { PIECES_A_LEVEL, TETRIS_RULES, tetrisRules } from './paytable.ts';
import { type Cell, emptyWell, PIECES, type Piece, settle } from './well.ts';

/** The outcome of a round of Tetris in the ledger. */
export type TetrisOutcome = TimedOutcome & {
  readonly score: number;
  readonly lines: number;
  readonly level: number;
};

/** One tick of a round: a piece came to rest. */
export interface TetrisTick {
  /** From 1. */
  readonly tick: number;
  readonly piece: Piece;
  /** Whether the well was emptied first, because the piece had no room. */
  readonly emptied: boolean;
  /** Its cells in `resting`. */
  readonly cells: readonly Cell[];
  /** Its full rows, counted from the top. */
  readonly cleared: readonly number[];
  /** The well: 20 rows of 10 cells, top row first; a cell is the letter of its piece or a dot. */
  readonly resting: readonly string[];
  /** The well without its full rows. */
  readonly rows: readonly string[];
  readonly score: number;
  readonly lines: number;
  readonly level: number;
  readonly last: boolean;
}

export const tetris: Game<TetrisOutcome> = {
  id: 'tetris',
  apiKey: 'tetris',
  title: 'Tetris',
  defaults: {
    rules: 'tetris-1',
    minStakeMinor: 1_000n,
    maxStakeMinor: 1_000n,
    maxLines: 1,
    enabled: true,
  },
  rulesIds: TETRIS_RULES.map(({ id }) => id),
  draw,
  odds(id) {
    const rules = tetrisRules(id);
    return timedOdds(rules, {
      reach: (level) => lasts(rules, PIECES_A_LEVEL * (level - 1)),
      rowOf: (level) => `level ${level}`,
    });
  },
  describe(outcome) {
    const { level, lines, score } = readTetrisOutcome(outcome);
    return `level ${level}, ${lines} lines, score ${score}`;
  },
  timed: {
    ticksOf: (outcome) => readTetrisOutcome(outcome).ticks,
    fields: { score: 'integer', lines: 'integer', level: 'integer', game_time: 'integer' },
    reportOf(outcome) {
      const { score, lines, level, ticks } = readTetrisOutcome(outcome);
      return { score, lines, level, game_time: ticks };
    },
    endPercent: (rules) => tetrisRules(rules).endPercent,
  },
  choice: null,
};

function draw({ rules: id, stakeMinor, draws }: DrawInput): Drawn<TetrisOutcome> {
  const roundSeed = draws.roundSeed();
  const end = simulateTetris(roundSeed, id).at(-1);
  assert(end, 'a round has a tick');
  const { tick: ticks, score, lines, level } = end;
  return {
    outcome: { rules: id, roundSeed, ticks, score, lines, level },
    payoutMinor: payoutMinor(tetrisRules(id), level, stakeMinor),
  };
}

const POINTS_A_PIECE = 10;
/** For 0 to 4 rows that one piece fills. */
const POINTS_FOR_LINES = [0, 100, 300, 500, 800] as const;

/**
 * The complete round, tick by tick, from its seed, for the page's drawing and the server's payout. Throws `Bug` for
 * unknown rules, RangeError for an invalid seed.
 */
export function simulateTetris(roundSeed: string, rulesId: string): readonly TetrisTick[] {
  const rules = tetrisRules(rulesId);
  const draws = createDrawsOfRound(roundSeed);
  const ticks: TetrisTick[] = [];
  let [rows, score, lines] = [emptyWell, 0, 0];
  for (let tick = 1; ; tick++) {
    const piece = PIECES[draws.below(PIECES.length)];
    assert(piece, 'the draw is below the number of pieces');
    // Only chance ends a round: a full well is emptied.
    const fits = settle(rows, piece);
    const rest = fits ?? settle(emptyWell, piece);
    assert(rest, 'an empty well has room');
    rows = rest.rows;
    lines += rest.cleared.length;
    score += POINTS_A_PIECE + (POINTS_FOR_LINES[rest.cleared.length] ?? 0);
    const level = 1 + Math.floor(tick / PIECES_A_LEVEL);
    const last = isLast(rules, tick, draws);
    ticks.push({ tick, piece, emptied: fits === null, ...rest, score, lines, level, last });
    if (last) return ticks;
  }
}

/** Whether a round that ends at this tick pays. */
export const tetrisEnding = ({ level }: TetrisTick, rulesId: string): Ending =>
  endingAt(tetrisRules(rulesId), level);

/** Reads a Tetris outcome. Throws `Bug` for anything else. */
export function readTetrisOutcome(outcome: Outcome): TetrisOutcome {
  const count = (name: string) => readCount(outcome, name);
  const [score, lines, level] = [count('score'), count('lines'), count('level')];
  return { ...readTimed(outcome), score, lines, level };
}
