import { assert } from '../assert.ts';
import { AMOUNT_MAX_MINOR, unit } from '../money.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type {
  BigWinTerms,
  PlaceBet,
  SettleRound,
  StakeLimits,
  StartRound,
  VoidRound,
} from './commands.ts';
import type { BetLost, BetPlaced, BetVoided, BetWon, Choice } from './events.ts';
import { type Noticed, nextNotice } from './notices.ts';
import { dayOf, singleOperatorMaxMinor } from './operator-acts.ts';
import { NO_PLAY_TERMS, type PlayTerms, refuseStake, timeOf } from './protection-state.ts';
import { aloneWith, standingOf } from './standing.ts';
import {
  balancesOf,
  isRegistered,
  openRoundOf,
  openRounds,
  type PlayerState,
  type TimedRound,
} from './state.ts';

/**
 * Rounds. A round that settles immediately is one command of two events. A timed round is begun by one command and ended by
 * another: its player has the seed from the start and can compute the payout, so only an operator can return the stake,
 * with a reason.
 *
 * Both begin with all guards, then the draw, then the events. So nothing is refused after a draw.
 */

/** All guards of a stake. */
export function refuseBet(
  state: PlayerState,
  bet: {
    readonly stakeMinor: bigint;
    readonly lines: number;
    readonly limits: StakeLimits;
    readonly play?: PlayTerms;
  },
): Rejection | null {
  const { stakeMinor, lines, limits, play = NO_PLAY_TERMS } = bet;
  if (!limits.enabled) return reject('game-switched-off');
  if (!isRegistered(state)) return reject('not-registered');
  if (stakeMinor % unit('points') !== 0n) return reject('bet-not-integer');
  if (stakeMinor < limits.minStakeMinor) {
    return reject('bet-below-minimum', { minStakeMinor: limits.minStakeMinor });
  }
  if (stakeMinor > limits.maxStakeMinor) {
    return reject('bet-above-maximum', { maxStakeMinor: limits.maxStakeMinor });
  }
  if (!Number.isInteger(lines) || lines < 1 || lines > limits.maxLines) {
    return reject('lines-out-of-range', { max: limits.maxLines });
  }
  const refused = refuseStake(state, stakeMinor, play);
  if (refused) return refused;
  if (stakeMinor > state.pointsMinor) {
    return reject('insufficient-points', { pointsMinor: state.pointsMinor, stakeMinor });
  }
  return null;
}

/** Whether the player must end an open round of that game first. */
function refuseStart(state: PlayerState, game: string): Rejection | null {
  const open = openRoundOf(state, game);
  return open && reject('round-open', { round: open.round });
}

/** Takes the stake, draws and pays. */
export function placeBet(
  state: PlayerState,
  command: PlaceBet,
): readonly [BetPlaced, BetWon | BetLost] | Rejection {
  const { game, stakeMinor, bigWinMultiple, bigWinMinMinor } = command;
  const refused = refuseBet(state, command) ?? refuseStart(state, game);
  if (refused) return refused;
  const placed = betPlaced(state, command);
  const { round, after } = placed.data;
  const { outcome, payoutMinor } = command.draw();
  const terms = { bigWinMultiple, bigWinMinMinor };
  const ending = { round, game, stakeMinor, outcome, payoutMinor, ...terms };
  return [placed, betEnded({ ...state, ...after }, ending)];
}

/** Takes the stake; the round stays open. */
export function startRound(
  state: PlayerState,
  command: StartRound,
): readonly [BetPlaced] | Rejection {
  const refused = refuseBet(state, command) ?? refuseStart(state, command.game);
  if (refused) return refused;
  const { tickMs } = command;
  const { ticks } = command.draw();
  assert(Number.isInteger(ticks) && ticks >= 1, 'a round lasts at least one tick');
  assert(Number.isInteger(tickMs) && tickMs >= 1, 'a tick lasts at least one millisecond');
  return [betPlaced(state, command, { ticks, tickMs })];
}

type Bet = Pick<BetPlaced['data'], 'game' | 'stakeMinor' | 'lines' | 'rules' | 'pair' | 'nonce'> & {
  readonly choice?: Choice | undefined;
  readonly play?: PlayTerms;
};

/** The next round of a player, with the stake taken. Asserts that it is drawn from the seeds in use. */
function betPlaced(state: PlayerState, bet: Bet, timed?: BetPlaced['data']['timed']): BetPlaced {
  const { game, stakeMinor, lines, rules, pair, nonce } = bet;
  const choice = bet.choice && { choice: bet.choice };
  const time = timeOf(state, bet.play ?? NO_PLAY_TERMS);
  const { seeds } = state;
  assert(seeds, 'a registered player has seeds');
  assert(pair === seeds.pair, 'the draw used the seeds in use');
  assert(nonce === seeds.nonce, 'the draw used the next nonce');
  assert(stakeMinor > 0n, 'a stake is positive');
  const round = `${state.publicId}-${state.rounds + 1}`;
  const after = { ...balancesOf(state), pointsMinor: state.pointsMinor - stakeMinor };
  const data = { round, game, stakeMinor, lines, ...choice, rules, pair, nonce, ...time, after };
  return { type: 'BetPlaced', data: timed ? { ...data, timed } : data };
}

/** The event that settles a round, with the payout added to the player's balances. */
function betEnded(
  state: Pick<PlayerState, 'pointsMinor' | 'tokenMinor'> & Noticed,
  settlement: BigWinTerms & Omit<BetWon['data'], 'after' | 'notice'>,
): BetWon | BetLost {
  const { round, game, outcome, stakeMinor, payoutMinor } = settlement;
  assert(payoutMinor >= 0n && payoutMinor <= AMOUNT_MAX_MINOR, 'payout in range');
  const before = balancesOf(state);
  if (payoutMinor === 0n) {
    return { type: 'BetLost', data: { round, game, outcome, stakeMinor, after: before } };
  }
  const after = { ...before, pointsMinor: before.pointsMinor + payoutMinor };
  const time = settlement.atMs === undefined ? {} : { atMs: settlement.atMs };
  const won = { round, game, outcome, stakeMinor, payoutMinor, ...time, after };
  const big = isBigWin(won, settlement);
  return { type: 'BetWon', data: big ? { ...won, notice: nextNotice(state) } : won };
}

export function isBigWin(
  { stakeMinor, payoutMinor }: { readonly stakeMinor: bigint; readonly payoutMinor: bigint },
  { bigWinMultiple, bigWinMinMinor = 0n }: BigWinTerms,
): boolean {
  return (
    payoutMinor >= bigWinMinMinor && Number(payoutMinor) >= bigWinMultiple * Number(stakeMinor)
  );
}

/** The time until a round may be settled; 0 when its ticks are over. */
export function msLeft({ ticks, tickMs }: TimedRound, elapsedMs: number): number {
  return Math.max(0, ticks * tickMs - elapsedMs);
}

export function settleRound(
  state: PlayerState,
  command: SettleRound,
): readonly [BetWon | BetLost] | Rejection {
  const { game, round, elapsedMs } = command;
  const open = openRoundOf(state, game);
  if (open?.round !== round) return reject('round-not-open', { round });
  const left = msLeft(open, elapsedMs);
  if (left > 0) return reject('round-too-soon', { msLeft: left });
  const time = timeOf(state, command.play ?? NO_PLAY_TERMS);
  return [betEnded(state, { ...command, ...time, stakeMinor: open.stakeMinor })];
}

/**
 * Returns the stake of an open round. One operator alone may act within two limits: what single operators may adjust per
 * player and day, and the operator's sum for all players (`isAllowed`). Above either it needs a proposal.
 */
export function voidRound(
  state: PlayerState,
  command: VoidRound,
): readonly [BetVoided] | Rejection {
  const { round, by, reason, terms, proposal, play = NO_PLAY_TERMS } = command;
  if (!isRegistered(state)) return reject('not-registered');
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const [game, open] = findOpen(state, round);
  if (game === undefined || !open) return reject('round-not-open', { round });
  const { stakeMinor } = open;
  const day = dayOf(state, command.nowMs);
  const alone = aloneWith(standingOf(state), { asset: 'points', deltaMinor: stakeMinor, day });
  const mayAlone =
    command.isAllowed && alone.pointsMinor <= singleOperatorMaxMinor(terms, 'points');
  if (!proposal && !mayAlone) return reject('needs-two-people');
  const people = { by, reason, ...(proposal && { proposal }) };
  const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + stakeMinor };
  const ended = { ...timeOf(state, play), after, notice: nextNotice(state) };
  return [{ type: 'BetVoided', data: { round, game, stakeMinor, ...people, day, ...ended } }];
}

const findOpen = (state: PlayerState, round: string) =>
  openRounds(state).find(([, one]) => one.round === round) ?? [];
