import { textOf } from '@reelbook/contract/errors';
import { type GameResult, type PlayBody, playBodyOf } from '@reelbook/contract/player/games';
import { commandKey, findIdempotencyKey, hashKey } from '@reelbook/event-store/idempotency-key';
import { readCommand } from '@reelbook/event-store/read-log';
import type { Game } from '@reelbook/games/game';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetWon, IdempotencyKeyRecorded } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { Compile } from 'typebox/compile';
import { gameAnswer } from '../answers/rounds.ts';
import type { Caller, Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';
import { placeBet } from './place-bet.ts';
import { isReport, settleRound, type TimedGame } from './settle-round.ts';
import { drawAgain, limitsOf } from './stakes.ts';

interface Playing extends Caller {
  readonly game: TimedGame;
  /** Unvalidated: each game has its own fields. */
  readonly body: unknown;
  readonly key: string | undefined;
}

/**
 * Ends a round with the figures that the page shows. If a round is open, the figures must match its seed. If it is already
 * settled, its figures return its result again. Otherwise a round is drawn and settled immediately, for clients that never
 * call start; the figures are ignored.
 */
export async function playRound(
  gateway: Gateway,
  options: Playing,
): Promise<{ data: GameResult; position: number }> {
  const { game, wallet, correlation } = options;
  const figures = readFigures(game, options.body);
  const round = await roundOf(gateway, options, figures);
  const actor = `player:${wallet}`;
  const { events, position } = round
    ? await settleRound(gateway, {
        wallet,
        correlation,
        actor,
        game,
        round,
        figures,
        key: options.key,
      })
    : await playImmediately(gateway, options, figures);
  const data = gameAnswer(events, game);
  assert(data, 'an ended round has a result');
  return { data, position };
}

/** The round of the figures: the open one or the last settled one; null if neither. */
async function roundOf(
  gateway: Gateway,
  { game, wallet, key }: Playing,
  figures: PlayBody,
): Promise<string | null> {
  const { state } = await readPlayer(gateway, wallet);
  if (key !== undefined) {
    // A used key returns its result again, even if another round has started since.
    const used = await findIdempotencyKey(gateway.pool, hashKey(commandKey(wallet, key)));
    if (used) return roundEndedAt(gateway, used.position);
    // A key that is a round id belongs to that round and never starts another.
    if (isRoundOf(state, key)) return key;
  }
  const last = state.timed?.[game.id];
  if (!last) return null;
  if (last.open) return last.round;
  const { outcome } = await drawAgain(gateway, game, last);
  return isReport(game, outcome, figures) ? last.round : null;
}

/** The round that the command at this position settled; null if it started its own. */
async function roundEndedAt({ pool }: Gateway, position: number): Promise<string | null> {
  const [first] = await readCommand<LedgerEvent>(pool, position);
  const types: readonly string[] = ['BetWon', 'BetLost', 'IdempotencyKeyRecorded'];
  return first && types.includes(first.event.type)
    ? (first.event as BetWon | BetLost | IdempotencyKeyRecorded).data.round
    : null;
}

function isRoundOf({ publicId, rounds }: PlayerState, key: string): boolean {
  const prefix = `${publicId}-`;
  const number = key.slice(prefix.length);
  return key.startsWith(prefix) && /^[1-9]\d{0,14}$/.test(number) && Number(number) <= rounds;
}

function playImmediately(
  gateway: Gateway,
  { game, wallet, correlation, key }: Playing,
  figures: PlayBody,
): Promise<{ events: readonly PlacedEvent<LedgerEvent>[]; position: number }> {
  const stakeMinor = limitsOf(gateway.config.current().config, game).minStakeMinor;
  const request = { command: 'play-at-once', game: game.id, figures };
  return placeBet(gateway, { wallet, correlation, game, stakeMinor, lines: 1, key, request });
}

const compiled = new WeakMap<Game, ReturnType<typeof Compile>>();

/** Validates the fields of the game. Throws `Refused` that names the invalid one. */
function readFigures(game: TimedGame, body: unknown): PlayBody {
  const schema = compiled.get(game) ?? Compile(playBodyOf(game.timed));
  compiled.set(game, schema);
  if (schema.Check(body)) return body as PlayBody;
  const problem = textOf(schema.Errors(body), 'body');
  throw new Refused({ failed: 'bad-input', detail: { problem } });
}
