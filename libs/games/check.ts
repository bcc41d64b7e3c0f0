import type { Outcome } from '@reelbook/ledger/player/events';
import { choiceProblem } from './choice.ts';
import { recomputeRound } from './fairness/commit.ts';
import type { RoundDraws } from './fairness/draw.ts';
import type { DrawInput, Drawn, Game } from './game.ts';
import { findGame } from './rules.ts';

/** Everything that determines the outcome of a round except its server seed; from BetPlaced. */
export interface Bet extends Omit<DrawInput, 'draws'> {
  readonly game: string;
  readonly serverSeedHash: string;
  readonly clientSeed: string;
  readonly nonce: number;
}

/**
 * A round as recorded in the ledger: BetPlaced and BetWon or BetLost together. A lost round pays 0n.
 */
export interface PlayedRound extends Bet {
  readonly outcome: Outcome;
  readonly payoutMinor: bigint;
}

export type RoundFault =
  | 'unknown-game'
  | 'unknown-rules'
  | 'wrong-choice'
  | 'seed-not-committed'
  | 'outcome-differs'
  | 'payout-differs';

/** `drawn` is what the seeds and rules give, to be shown next to the recorded outcome. */
export type RoundCheck =
  | { readonly ok: true; readonly drawn: Drawn }
  | { readonly ok: false; readonly fault: RoundFault; readonly drawn: Drawn | null };

/**
 * The outcome that server seed and rules give for a bet, also for a voided round. Timed games are simulated from their
 * seed alone, so it does not depend on the player's actions.
 */
export function drawBet(
  bet: Bet,
  serverSeed: string,
  find: (id: string) => Game | null = findGame,
): RoundCheck {
  const game = find(bet.game);
  if (!game) return { ok: false, fault: 'unknown-game', drawn: null };
  if (!game.rulesIds.includes(bet.rules)) return { ok: false, fault: 'unknown-rules', drawn: null };
  if (choiceProblem(game, bet.choice)) return { ok: false, fault: 'wrong-choice', drawn: null };
  const play = (draws: RoundDraws) => game.draw({ ...bet, draws });
  const again = recomputeRound({ ...bet, serverSeed }, play);
  if (!again) return { ok: false, fault: 'seed-not-committed', drawn: null };
  return { ok: true, drawn: again.result };
}

/**
 * Draws a round again from its revealed server seed and its rules, and compares. The audit and the player's browser use
 * this function. `find` lets tests use their own games.
 */
export function checkRound(
  round: PlayedRound,
  serverSeed: string,
  find: (id: string) => Game | null = findGame,
): RoundCheck {
  const again = drawBet(round, serverSeed, find);
  if (!again.ok) return again;
  const { drawn } = again;
  if (!equalJson(drawn.outcome, round.outcome)) {
    return { ok: false, fault: 'outcome-differs', drawn };
  }
  if (drawn.payoutMinor !== round.payoutMinor) {
    return { ok: false, fault: 'payout-differs', drawn };
  }
  return { ok: true, drawn };
}

/** Equality of JSON values; the order of keys does not count. */
function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    left.length === right.size &&
    left.every(([key, inner]) => right.has(key) && equalJson(inner, right.get(key)))
  );
}
