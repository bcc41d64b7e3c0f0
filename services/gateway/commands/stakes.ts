import { createHmac } from 'node:crypto';
import { createDraws, type HmacSha256 } from '@reelbook/games/fairness/draw';
import type { Drawn, Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import type { Config, GameConfig } from '@reelbook/ledger/config/config';
import { gameInForce, realityCheckOf } from '@reelbook/ledger/config/in-force';
import type { Choice } from '@reelbook/ledger/player/events';
import {
  needsTime,
  type PlayTerms,
  type Protected,
} from '@reelbook/ledger/player/protection-state';
import type { TimedRound } from '@reelbook/ledger/player/state';
import type { Gateway } from '../context.ts';

/** What the commands that stake, settle or buy points fetch before the decider decides. No guard is here. */

/** What the configuration allows for a game. */
export function limitsOf(config: Config, game: Game): GameConfig {
  const limits = gameInForce(config, game.id);
  assert(limits, `${game.id} is configured`);
  return limits;
}

/** The time is looked up only for players for whom it counts. */
export async function playTermsOf(
  { clock }: Pick<Gateway, 'clock'>,
  config: Config,
  state: Protected,
): Promise<PlayTerms> {
  const realityCheckMs = realityCheckOf(config);
  const nowMs = needsTime(state, realityCheckMs) ? await clock.agreedMs() : null;
  return { nowMs, realityCheckMs };
}

type Round = Pick<
  TimedRound,
  'rules' | 'stakeMinor' | 'lines' | 'serverSeedHash' | 'clientSeed' | 'nonce'
> & { readonly choice?: Choice | undefined };

/** Opens the seed of a round. The round is drawn when the result is called, without any wait. */
export async function openDraw(
  { vault }: Pick<Gateway, 'vault'>,
  game: Game,
  round: Round,
): Promise<() => Drawn> {
  const { rules, stakeMinor, lines, choice, serverSeedHash, clientSeed, nonce } = round;
  const serverSeed = await vault.open(serverSeedHash);
  return () => {
    const draws = createDraws({ serverSeed, clientSeed, nonce }, nativeHmac);
    return game.draw({ rules, stakeMinor, lines, choice, draws });
  };
}

/** What a round that was begun is, from the seeds and rules that it was begun with. */
export async function drawAgain(
  gateway: Pick<Gateway, 'vault'>,
  game: Game,
  round: Round,
): Promise<Drawn> {
  const draw = await openDraw(gateway, game, round);
  return draw();
}

/** By OpenSSL. The audit and the pages draw with the portable one, so each checks the other. */
export const nativeHmac: HmacSha256 = (key, message) =>
  createHmac('sha256', key).update(message).digest();
