import type { StartResult } from '@reelbook/contract/player/games';
import { createDrawsOfRound } from '@reelbook/games/fairness/draw';
import type { Report } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { toMinor, toNumber } from '@reelbook/ledger/money';

/** What a page works out of a round that lasts, from its seed alone: how it ends, when, and what it pays in points. */
export function workOut(begun: StartResult): {
  readonly figures: Report;
  readonly ticks: number;
  readonly reward: number;
} {
  const game = findGame(begun.game);
  if (!game?.timed) throw new Error(`${begun.game} settles immediately`);
  const draws = { ...createDrawsOfRound(begun.round_seed), roundSeed: () => begun.round_seed };
  const stakeMinor = toMinor('points', begun.bet_amount) ?? 0n;
  const { outcome, payoutMinor } = game.draw({ rules: begun.rules, stakeMinor, lines: 1, draws });
  const { timed } = game;
  const reward = toNumber('points', payoutMinor);
  return { figures: timed.reportOf(outcome), ticks: timed.ticksOf(outcome), reward };
}
