import { type Static, type TObject, Type } from 'typebox';
import {
  balanceFields,
  Choice,
  closed,
  EXAMPLE,
  FILTERED_MAX,
  KeyHeaders,
  named,
  Outcome,
  oneOf,
  Position,
  pageOf,
  Time,
  text,
} from '../common.ts';
import { ALL_GAMES } from '../paths.ts';
import { playerTopic } from '../route.ts';
import { BetBody, Round, RoundsQuery, SlotStats } from './slot.ts';

const GAME_ID = '^[a-z][a-z0-9-]{0,31}$';

const GameParams = Type.Object({
  game: text('snake', {
    pattern: GAME_ID,
    description: 'Id of a game, such as tetris',
  }),
});

/** The bet of the slot machine, plus the choice of a game that has one. A game without lines records 1. */
const GameBetBody = Type.Object(
  { ...BetBody.properties, choice: Type.Optional(Choice) },
  { additionalProperties: false },
);
export type GameBetBody = Static<typeof GameBetBody>;

const game = text('snake', 'Id of the game, such as tetris');

const rules = text('snake-1', 'Version of the rules of the round');

/**
 * An open timed round: the simulation of `rules` computes every tick and the end from `round_seed`. The same at the start
 * and after a reload.
 */
const openRound = {
  round_id: text(EXAMPLE.round),
  game,
  rules,
  round_seed: text(
    EXAMPLE.hash,
    'HMAC-SHA256(server seed, "<client seed>:<nonce>"), 64 hex digits',
  ),
  tick_ms: Type.Integer({
    description: 'Milliseconds per tick; a round can be ended only after its last tick',
  }),
  bet_amount: Type.Number({ description: 'Fee taken, points' }),
  server_seed_hash: text(EXAMPLE.hash),
  client_seed: text(EXAMPLE.seed),
  nonce: Type.Integer(),
  bet_position: Position,
  created_at: Time,
};

/** Null: without a body. */
const StartBody = Type.Union([
  closed({
    bet_amount: Type.Optional(
      Type.Number({ description: 'Fee as shown, points; refused if it has changed' }),
    ),
  }),
  Type.Null(),
]);

export const StartResult = named('StartResult', { ...openRound, ...balanceFields });
export type StartResult = Static<typeof StartResult>;

export const OpenRound = named('OpenRound', {
  ...openRound,
  elapsed_ms: Type.Integer({ description: 'Milliseconds since its start, by the server clock' }),
});
export type OpenRound = Static<typeof OpenRound>;

/** `round` is null when no round of the game is open. */
export const OpenRoundAnswer = named('OpenRoundAnswer', {
  round: Type.Union([Type.Null(), OpenRound]),
});
export type OpenRoundAnswer = Static<typeof OpenRoundAnswer>;

/** The figures of the round. Each game validates its own, see `playBodyOf`. */
export const PlayBody = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'tetris: score, lines, level, game_time; snake: score, length, game_time; ' +
      'minesweeper: score, game_time, is_completed, mines_found. game_time is the number of ticks',
    examples: [{ score: 70, length: 10, game_time: 28 }],
  },
);
export type PlayBody = Readonly<Record<string, number | boolean>>;

/** The body of /play of a timed game: exactly its fields, all required. */
export function playBodyOf(timed: {
  readonly fields: Readonly<Record<string, 'integer' | 'boolean'>>;
}): TObject {
  const fields = Object.entries(timed.fields).map(([name, kind]) => [
    name,
    kind === 'boolean' ? Type.Boolean() : Type.Integer(),
  ]);
  return Type.Object(Object.fromEntries(fields), { additionalProperties: false });
}

/** Result of a round of any game. */
export const GameResult = named('GameResult', {
  round_id: text(EXAMPLE.round),
  game,
  choice: Type.Optional(Choice),
  outcome: Outcome,
  figures: Type.Object(
    {},
    { additionalProperties: true, description: 'For a timed game: the figures sent to /play' },
  ),
  result: oneOf(['won', 'lost'], 'won or lost'),
  reward: Type.Number({ description: 'Points; 0 for a lost round' }),
  message: text(
    '恭喜！您获得 15 积分。You won 15 points.',
    'Text for people, Chinese and English; clients use `result`',
  ),
  bet_amount: Type.Number(),
  win_amount: Type.Number(),
  total_win: Type.Number(),
  created_at: Time,
  ...balanceFields,
});
export type GameResult = Static<typeof GameResult>;

const call = playerTopic('games');

export const gamesRoutes = {
  gameBet: call('POST', '/game/:game/bet', 'player', {
    summary: 'Play one round of a game that settles immediately',
    params: GameParams,
    headers: KeyHeaders,
    body: GameBetBody,
    data: GameResult,
  }),
  gameStart: call('POST', '/game/:game/start', 'player', {
    summary: 'Start a round of a timed game: takes the fee and returns the round seed',
    params: GameParams,
    headers: KeyHeaders,
    body: StartBody,
    data: StartResult,
  }),
  gameRound: call('GET', '/game/:game/round', 'player', {
    summary: 'Get the open round of a game, to resume it',
    params: GameParams,
    data: OpenRoundAnswer,
  }),
  gamePlay: call('POST', '/game/:game/play', 'player', {
    summary:
      'End the open round with its figures; without one, draw and settle a round immediately',
    params: GameParams,
    headers: KeyHeaders,
    body: PlayBody,
    data: GameResult,
  }),
  gameHistory: call('GET', '/game/:game/history', 'player', {
    summary: "List the player's rounds of a game, or of all games, newest first",
    params: Type.Object({
      game: text('snake', {
        pattern: GAME_ID,
        description: `Id of a game, or ${ALL_GAMES}: that list ends after ${FILTERED_MAX}`,
      }),
    }),
    query: RoundsQuery,
    data: pageOf(Round),
  }),
  gameStats: call('GET', '/game/:game/stats', 'player', {
    summary: "Get the player's statistics of a game",
    params: GameParams,
    data: SlotStats,
  }),
};
