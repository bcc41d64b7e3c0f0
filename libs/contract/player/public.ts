import { type Static, Type } from 'typebox';
import { Choice, closed, nullableInteger, nullableText, oneOf, Position, Time } from '../common.ts';
import { playerTopic } from '../route.ts';

const PaytableRow = Type.Object({
  row: Type.String(),
  symbols: Type.Array(nullableInteger(), {
    description: 'Null stands for any symbol; empty for a game without symbols',
  }),
  multiple: Type.Number({ description: 'Of the bet' }),
  weight: Type.Integer(),
  of: Type.Integer(),
  odds: Type.String(),
});

const TimedConfig = Type.Object({
  fee: Type.Number({ description: 'Points a round' }),
  tick_ms: Type.Integer(),
  ticks_max: Type.Integer({ description: 'No round lasts longer' }),
  end_percent: Type.Number({ description: 'The chance that a tick is the last one' }),
  fields: Type.Object({}, { additionalProperties: Type.String() }),
});

/** What of a game's figures follows from a choice, such as its paytable, is given for `initial`. */
const ChoiceConfig = Type.Object({
  fields: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'By name: {min, max} of a whole number, or {oneOf} with the words',
    },
  ),
  initial: Choice,
});

export const GameConfig = Type.Object({
  title: Type.String(),
  min_bet: Type.Number(),
  max_bet: Type.Number(),
  max_win: Type.Number(),
  default_lines: Type.Integer(),
  enabled: Type.Boolean(),
  rules: Type.String(),
  rules_text: Type.String({ description: 'The rules, one fact a line' }),
  rules_hash: Type.String({ description: 'SHA-256 of rules_text' }),
  return: Type.Object({ fraction: Type.String(), percent: Type.Number() }),
  hit_rate_percent: Type.Number(),
  paytable: Type.Array(PaytableRow),
  return_by_bet: Type.Array(
    Type.Object({
      from_bet: Type.Number(),
      to_bet: Type.Number(),
      percent_low: Type.Number(),
      percent_high: Type.Number(),
    }),
  ),
  timed: Type.Union([Type.Null(), TimedConfig]),
  choice: Type.Optional(ChoiceConfig),
});
export type GameConfig = Static<typeof GameConfig>;

/** By the key of each game; a game that is added is one more. */
export const GameConfigs = Type.Object(
  {
    slot_machine: GameConfig,
    tetris: GameConfig,
    snake: GameConfig,
    minesweeper: GameConfig,
  },
  { additionalProperties: GameConfig },
);
export type GameConfigs = Static<typeof GameConfigs>;

const BOARDS = ['deposit', 'wins', 'points'] as const;

export type Board = (typeof BOARDS)[number];

export const Leader = Type.Object({
  rank: Type.Integer(),
  nickname: nullableText(),
  public_id: Type.String(),
  amount: Type.Number(),
});
export type Leader = Static<typeof Leader>;

const RECENT_WINS_MAX = 50;

export const RecentWin = Type.Object({
  id: Type.String(),
  game_type: Type.String(),
  user_nickname: nullableText(),
  user_id: Type.String({ description: "The winner's public id" }),
  win_amount: Type.Number(),
  bet_amount: Type.Number(),
  multiple: Type.Number(),
  created_at: Time,
  position: Position,
});
export type RecentWin = Static<typeof RecentWin>;

const call = playerTopic('public');

export const publicRoutes = {
  leaderboard: call('GET', '/user/leaderboard/:board', 'public', {
    summary: 'Points won in all (deposit), rounds won (wins), points held (points)',
    params: Type.Object({
      board: oneOf(BOARDS),
    }),
    data: Type.Array(Leader),
  }),
  gameConfigs: call('GET', '/game/configs', 'public', {
    summary: 'Limits, odds and return of every game',
    data: GameConfigs,
  }),
  recentWinnings: call('GET', '/recent-winnings', 'public', {
    summary: 'The latest big wins',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECENT_WINS_MAX, default: 10 })),
    }),
    data: Type.Array(RecentWin),
  }),
};
