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
  pageQuery,
  periodQuery,
  Time,
  text,
} from '../common.ts';
import { ALL_GAMES, playerTopic } from '../route.ts';

/** Recorded number of lines if the client sends none. */
export const DEFAULT_LINES = 25;

/** The configuration limits stake and lines: the rules refuse other values, not this schema. */
export const BetBody = closed({
  bet_amount: Type.Number({ description: 'Stake in points, an integer', examples: [10] }),
  lines: Type.Optional(Type.Integer({ default: DEFAULT_LINES })),
});
export type BetBody = Static<typeof BetBody>;

/** Everything that determines the outcome of a round, and its position. */
const proof = {
  rules: text('slot-1', 'Version of the rules of the round'),
  server_seed_hash: text(EXAMPLE.hash),
  client_seed: text(EXAMPLE.seed),
  nonce: Type.Integer(),
  bet_position: Position,
};

const reels = Type.Array(Type.Integer({ minimum: 1, maximum: 4 }), { minItems: 3, maxItems: 3 });

export const BetResult = named('BetResult', {
  round_id: text(EXAMPLE.round),
  symbols: Type.Array(reels, { description: 'The first entry is the three reels, symbols 1 to 4' }),
  row: text('no-win', 'Matching row of the paytable'),
  multiple: Type.Number({ description: 'Of the bet, before the maximum win' }),
  total_win: Type.Number({ description: 'Points' }),
  win_amount: Type.Number({ description: 'Points' }),
  is_jackpot: Type.Boolean(),
  capped: Type.Boolean({ description: 'true if the maximum win reduced the payout' }),
  bet_amount: Type.Number(),
  lines: Type.Integer(),
  ...proof,
  created_at: Time,
  ...balanceFields,
});
export type BetResult = Static<typeof BetResult>;

const roundFields = {
  id: text(EXAMPLE.round),
  round_id: text(EXAMPLE.round),
  type: oneOf(['game_win', 'game_loss']),
  amount: Type.Number({ description: 'Payout minus stake in points, signed' }),
  status: text('completed', 'completed, or voided (by an operator)'),
  description: text('Slot machine: no-win'),
  created_at: Time,
  extra_data: text('{}', 'JSON text: action and displayed outcome'),
  game: text('slot_machine'),
  symbols: Type.Array(reels, { description: 'Reels of the slot machine; empty for other games' }),
  row: text('no-win', 'Paytable row of the slot machine; empty for other games'),
  outcome: Outcome,
  choice: Type.Optional(Choice),
  lines: Type.Integer(),
  bet_amount: Type.Number(),
  win_amount: Type.Number(),
  ...proof,
  position: Position,
};

export const Round = Type.Object(roundFields);
export type Round = Static<typeof Round>;

export const SlotStats = named('SlotStats', {
  total_games: Type.Integer({ description: 'Settled rounds' }),
  total_wins: Type.Integer({ description: 'Rounds that paid' }),
  win_rate: Type.Number({ description: 'Won rounds, percent' }),
  total_win: Type.Number({ description: 'Points' }),
  biggest_win: Type.Number({ description: 'Points' }),
  total_bet: Type.Number({ description: 'Points' }),
  net: Type.Number({ description: 'Won minus staked, points' }),
});
export type SlotStats = Static<typeof SlotStats>;

/** Query of a list of rounds. */
const RoundsQuery = closed({
  ...pageQuery(10).properties,
  ...periodQuery,
  status: Type.Optional(
    oneOf(
      ['won', 'lost', 'voided', 'open'],
      `A list with a status or a period ends after ${FILTERED_MAX}`,
    ),
  ),
});

const slotCall = playerTopic('slot machine');

export const slotRoutes = {
  slotBet: slotCall('POST', '/game/slot-machine/bet', 'player', {
    summary: 'Spin the slot machine once',
    headers: KeyHeaders,
    body: BetBody,
    data: BetResult,
  }),
  slotHistory: slotCall('GET', '/game/slot-machine/history', 'player', {
    summary: "List the player's rounds of the slot machine, newest first",
    query: RoundsQuery,
    data: pageOf(Round),
  }),
  slotStats: slotCall('GET', '/game/slot-machine/stats', 'player', {
    summary: "Get the player's statistics of the slot machine",
    data: SlotStats,
  }),
  slotSymbols: slotCall('GET', '/game/slot-machine/symbols', 'public', {
    summary: 'List the four symbols',
    data: Type.Array(Type.Object({ id: Type.Integer(), name: text('comet') })),
  }),
  slotPaylines: slotCall('GET', '/game/slot-machine/paylines', 'public', {
    summary: 'Get the number of lines played',
    data: Type.Object({
      lines_played: Type.Integer(),
      lines_accepted: Type.Integer(),
      note: text('One line is played, regardless of the number of lines in a bet'),
    }),
  }),
};

const GAME_ID = '^[a-z][a-z0-9-]{0,31}$';

const GameParams = Type.Object({
  game: text('snake', {
    pattern: GAME_ID,
    description: `Id of a game, such as tetris; for statistics also ${ALL_GAMES}`,
  }),
});

/** The bet of the slot machine, plus the choice of a game that has one. A game without lines records 1. */
const GameBetBody = Type.Object(
  { ...BetBody.properties, choice: Type.Optional(Choice) },
  { additionalProperties: false },
);

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
    summary: "Get the player's statistics of a game, or of all games",
    params: GameParams,
    data: SlotStats,
  }),
};
