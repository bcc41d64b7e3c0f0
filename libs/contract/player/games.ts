import { type Static, type TObject, Type } from 'typebox';
import {
  balanceFields,
  Choice,
  KeyHeaders,
  Outcome,
  Position,
  pageOf,
  pageQuery,
  Time,
} from '../common.ts';
import { playerTopic } from '../route.ts';
import { BetBody, Round, SlotStats } from './slot.ts';

/** What the calls of every game share: `/game/:game/...`. */

const GameParams = Type.Object({
  game: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', description: 'Such as tetris' }),
});

/** As the slot machine's, and the choice of a game that has one; a game without lines takes one. */
const GameBetBody = Type.Object(
  { ...BetBody.properties, choice: Type.Optional(Choice) },
  { additionalProperties: false },
);
export type GameBetBody = Static<typeof GameBetBody>;

const game = Type.String({ description: 'As /game/configs names it: tetris' });

const rules = Type.String({ description: 'Version of the rules it is decided under' });

/**
 * A round that lasts, as its player needs it to draw it: the simulation of these rules gives every tick from
 * `round_seed`, and with it the end. The same for the start and for going on after a reload.
 */
const openRound = {
  round_id: Type.String(),
  game,
  rules,
  round_seed: Type.String({
    description: 'HMAC-SHA256(server seed, "<client seed>:<nonce>"), 64 hex digits',
  }),
  tick_ms: Type.Integer({ description: 'A round may be ended after its ticks, not sooner' }),
  bet_amount: Type.Number({ description: 'The fee that was taken, points' }),
  server_seed_hash: Type.String(),
  client_seed: Type.String(),
  nonce: Type.Integer(),
  bet_position: Position,
  created_at: Time,
};

export const StartResult = Type.Object({ ...openRound, ...balanceFields });
export type StartResult = Static<typeof StartResult>;

export const OpenRound = Type.Object({
  ...openRound,
  elapsed_ms: Type.Integer({ description: 'Since it began, by the clock of the server' }),
});
export type OpenRound = Static<typeof OpenRound>;

/** `round` is null when no round of the game is open. */
export const OpenRoundAnswer = Type.Object({ round: Type.Union([Type.Null(), OpenRound]) });
export type OpenRoundAnswer = Static<typeof OpenRoundAnswer>;

/** The figures of the round that was played. Each game checks its own, see `playBodyOf`. */
export const PlayBody = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'tetris: score, lines, level, game_time; snake: score, length, game_time; ' +
      'minesweeper: score, game_time, is_completed, mines_found. game_time is the number of ticks',
  },
);
export type PlayBody = Readonly<Record<string, number | boolean>>;

/** Exactly the fields that a game that lasts wants to be told, all of them. */
export function playBodyOf(o: {
  readonly fields: Readonly<Record<string, 'integer' | 'boolean'>>;
}): TObject {
  const fields = Object.entries(o.fields).map(([name, kind]) => [
    name,
    kind === 'boolean' ? Type.Boolean() : Type.Integer(),
  ]);
  return Type.Object(Object.fromEntries(fields), { additionalProperties: false });
}

/** How a round of any game ended. */
export const GameResult = Type.Object({
  round_id: Type.String(),
  game,
  choice: Type.Optional(Choice),
  outcome: Outcome,
  figures: Type.Object(
    {},
    { additionalProperties: true, description: 'Of a game that lasts: as /play reports them' },
  ),
  result: Type.Unsafe<'won' | 'lost'>({ type: 'string', description: 'won or lost' }),
  reward: Type.Number({ description: 'Points; 0 for a lost round' }),
  message: Type.String({ description: 'For people, Chinese and English; clients go by result' }),
  bet_amount: Type.Number(),
  win_amount: Type.Number(),
  total_win: Type.Number(),
  created_at: Time,
  ...balanceFields,
});
export type GameResult = Static<typeof GameResult>;

const call = playerTopic('games');

/** What every game has, under its own name. */
export const gamesRoutes = {
  gameBet: call('POST', '/game/:game/bet', 'player', {
    summary: 'Play one round of a game that settles at once',
    params: GameParams,
    headers: KeyHeaders,
    body: GameBetBody,
    data: GameResult,
  }),
  gameStart: call('POST', '/game/:game/start', 'player', {
    summary: 'Begin a round of a game that lasts: takes the fee, tells the seed of the round',
    params: GameParams,
    headers: KeyHeaders,
    data: StartResult,
  }),
  gameRound: call('GET', '/game/:game/round', 'player', {
    summary: 'The open round, to go on with it',
    params: GameParams,
    data: OpenRoundAnswer,
  }),
  gamePlay: call('POST', '/game/:game/play', 'player', {
    summary: 'End the open round with its figures; without one, a round is drawn and paid at once',
    params: GameParams,
    headers: KeyHeaders,
    body: PlayBody,
    data: GameResult,
  }),
  gameHistory: call('GET', '/game/:game/history', 'player', {
    summary: "The player's rounds of one game, newest first",
    params: GameParams,
    query: pageQuery(10),
    data: pageOf(Round),
  }),
  gameStats: call('GET', '/game/:game/stats', 'player', {
    summary: "The player's figures in one game",
    params: GameParams,
    data: SlotStats,
  }),
};
