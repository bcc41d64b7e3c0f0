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
  /** As it came; checked here, since every game has fields of its own. */
  readonly body: unknown;
  readonly key: string | undefined;
}

/**
 * The end of a round, with the figures that the page shows. With an open round they must be those of its seed. When the
 * round was settled meanwhile, its own figures get its result again. Without any, a round is drawn and paid at once, for
 * clients that know of no start: then the figures count for nothing.
 */
export async function playRound(
  gateway: Gateway,
  o: Playing,
): Promise<{ data: GameResult; position: number }> {
  const { game, wallet, correlation } = o;
  const figures = readFigures(game, o.body);
  const round = await roundOf(gateway, o, figures);
  const actor = `player:${wallet}`;
  const { events, position } = round
    ? await settleRound(gateway, { wallet, correlation, actor, game, round, figures, key: o.key })
    : await playAtOnce(gateway, o, figures);
  const data = gameAnswer(events, game);
  assert(data, 'a round that ended has a result');
  return { data, position };
}

/** The round that the figures are of: the open one, or the one just settled; null when they are of none. */
async function roundOf(
  gateway: Gateway,
  { game, wallet, key }: Playing,
  figures: PlayBody,
): Promise<string | null> {
  const { state } = await readPlayer(gateway, wallet);
  if (key !== undefined) {
    // A key that was answered is answered again, whatever has begun since.
    const used = await findIdempotencyKey(gateway.pool, hashKey(commandKey(wallet, key)));
    if (used) return roundEndedAt(gateway, used.position);
    // A key that names a round is about that round, and never begins another.
    if (isRoundOf(state, key)) return key;
  }
  const last = state.timed?.[game.id];
  if (!last) return null;
  if (last.open) return last.round;
  const { outcome } = await drawAgain(gateway, game, last);
  return isReport(game, outcome, figures) ? last.round : null;
}

/** The round that the command at this position settled; null for one that began its own. */
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

function playAtOnce(
  gateway: Gateway,
  { game, wallet, correlation, key }: Playing,
  figures: PlayBody,
): Promise<{ events: readonly PlacedEvent<LedgerEvent>[]; position: number }> {
  const stakeMinor = limitsOf(gateway.config.current().config, game).minStakeMinor;
  const request = { command: 'play-at-once', game: game.id, figures };
  return placeBet(gateway, { wallet, correlation, game, stakeMinor, lines: 1, key, request });
}

const compiled = new WeakMap<Game, ReturnType<typeof Compile>>();

/** Exactly the fields of the game. Throws `Refused` with words that name the one that is wrong. */
function readFigures(game: TimedGame, body: unknown): PlayBody {
  const schema = compiled.get(game) ?? Compile(playBodyOf(game.timed));
  compiled.set(game, schema);
  if (schema.Check(body)) return body as PlayBody;
  const problem = textOf(schema.Errors(body), 'body');
  throw new Refused({ failed: 'bad-input', detail: { problem } });
}
