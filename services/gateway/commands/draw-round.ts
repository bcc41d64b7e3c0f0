import { createDraws } from '@reelbook/fairness/draw';
import type { Drawn, Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import type { GameConfig } from '@reelbook/ledger/config/config';
import { isGameOpen } from '@reelbook/ledger/config/in-force';
import { refuseBet } from '@reelbook/ledger/player/decide';
import type { Choice } from '@reelbook/ledger/player/events';
import type { PlayTerms } from '@reelbook/ledger/player/protection';
import { refuseStart } from '@reelbook/ledger/player/rounds';
import type { PlayerState, TimedRound } from '@reelbook/ledger/player/state';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import type { Gateway } from '../context.ts';
import { nativeHmac } from '../native-hmac.ts';

/** What a player stakes on what. */
export interface Play {
  readonly game: Game;
  readonly stakeMinor: bigint;
  readonly lines: number;
  /** Of a game that has one: it was checked by `choiceProblem`. */
  readonly choice?: Choice | undefined;
}

/** Every guard of a new round, before a seed is fetched. */
export function refuseRound(
  gateway: Gateway,
  state: PlayerState,
  { game, stakeMinor, lines, play }: Play & { readonly play: PlayTerms },
): Rejection | null {
  const limits = limitsOf(gateway, game);
  if (!isGameOpen(gateway.config.current().config, game.id)) return reject('game-switched-off');
  return refuseBet(state, { stakeMinor, lines, limits, play }) ?? refuseStart(state, game.id);
}

export function limitsOf(gateway: Gateway, game: Game): GameConfig {
  const limits = gateway.config.current().config.games[game.id];
  assert(limits, `${game.id} is configured`);
  return limits;
}

/** Draws a player's next round under the rules in force, from the seeds in use. Its guards were asked before. */
export async function drawRound(gateway: Gateway, state: PlayerState, play: Play) {
  const { game, stakeMinor, lines, choice } = play;
  assert(state.seeds, 'a registered player has seeds');
  const { pair, activeHash: serverSeedHash, clientSeed, nonce } = state.seeds;
  const limits = limitsOf(gateway, game);
  const { rules } = limits;
  const bet = { game: game.id, stakeMinor, lines, choice, limits, rules, pair, nonce };
  return { bet, drawn: await drawAgain(gateway, game, { ...bet, serverSeedHash, clientSeed }) };
}

/** What a round that was begun is, from the seeds and rules that it was begun with. */
export async function drawAgain(
  { vault }: Pick<Gateway, 'vault'>,
  game: Game,
  round: Pick<
    TimedRound,
    'rules' | 'stakeMinor' | 'lines' | 'serverSeedHash' | 'clientSeed' | 'nonce'
  > &
    Pick<Play, 'choice'>,
): Promise<Drawn> {
  const { rules, stakeMinor, lines, choice, serverSeedHash, clientSeed, nonce } = round;
  const serverSeed = await vault.open(serverSeedHash);
  const draws = createDraws({ serverSeed, clientSeed, nonce }, nativeHmac);
  return game.draw({ rules, stakeMinor, lines, choice, draws });
}
