import { createHmac } from 'node:crypto';
import { commandKey, type Prepared } from '@reelbook/event-store/execution';
import { createDraws, type HmacSha256 } from '@reelbook/games/fairness/draw';
import type { Drawn, Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import {
  type Config,
  type GameConfig,
  gameInForce,
  realityCheckOf,
} from '@reelbook/ledger/config/config';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { Choice } from '@reelbook/ledger/player/events';
import {
  needsTime,
  type PlayTerms,
  type Protected,
} from '@reelbook/ledger/player/protection-state';
import type { PlayerState, TimedRound } from '@reelbook/ledger/player/state';
import type { Rejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type { Caller, Gateway } from '../context.ts';

/** What the commands of players share. The decider validates, not this file. */

/** Executes a command in the stream of a player; `key` is the client's idempotency key. */
export function act(
  { executor }: Pick<Gateway, 'executor'>,
  { wallet, correlation, actor }: Caller & { readonly actor?: string },
  execution: {
    readonly key?: string | undefined;
    readonly request: unknown;
    readonly readsStream?: boolean;
    prepare(state: PlayerState): Promise<Prepared<PlayerCommand> | Rejection>;
  },
) {
  return executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, execution.key),
    request: execution.request,
    meta: { correlation, actor: actor ?? `player:${wallet}` },
    readsStream: execution.readsStream ?? false,
    prepare: execution.prepare,
  });
}

/** A command that depends on no configuration. */
export const plain = (command: PlayerCommand) => ({ command, configVersion: null });

/** The configured limits of a game. */
export function limitsOf(config: Config, game: Game): GameConfig {
  const limits = gameInForce(config, game.id);
  assert(limits, `${game.id} is configured`);
  return limits;
}

/** Reads the clock only for players whose limits need it. */
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

/** Opens the seed of a round. Calling the result draws the round synchronously. */
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

/** Recomputes a started round from its seeds and rules. */
export async function drawAgain(
  gateway: Pick<Gateway, 'vault'>,
  game: Game,
  round: Round,
): Promise<Drawn> {
  const draw = await openDraw(gateway, game, round);
  return draw();
}

/** OpenSSL's HMAC. The audit and the pages use a portable one, so that each checks the other. */
export const nativeHmac: HmacSha256 = (key, message) =>
  createHmac('sha256', key).update(message).digest();
