import { type Static, Type } from 'typebox';
import {
  Choice,
  closed,
  EXAMPLE,
  named,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
  text,
} from '../common.ts';
import { playerTopic } from '../route.ts';

const PaytableRow = named('PaytableRow', {
  row: text('no-win'),
  symbols: Type.Array(nullableInteger(), {
    description: 'null matches any symbol; empty for a game without symbols',
  }),
  multiple: Type.Number({ description: 'Payout as a multiple of the bet' }),
  weight: Type.Integer({ description: 'Chance of the row: weight in `of`' }),
  of: Type.Integer(),
  odds: text('1 in 11'),
});

const TimedConfig = named('TimedConfig', {
  fee: Type.Number({ description: 'Points per round' }),
  tick_ms: Type.Integer({ description: 'Milliseconds per tick' }),
  ticks_max: Type.Integer({ description: 'Maximum ticks of a round' }),
  end_percent: Type.Number({ description: 'Chance that a tick is the last one, percent' }),
  fields: Type.Object({}, { additionalProperties: text('integer') }),
});

/** Figures that depend on the choice, such as the paytable, are those of `initial`. */
const ChoiceConfig = named('ChoiceConfig', {
  fields: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Fields by name: {min, max} for an integer, or {oneOf} with the accepted strings',
    },
  ),
  initial: Choice,
});

export const GameConfig = named('GameConfig', {
  title: text('Slot machine'),
  min_bet: Type.Number({ description: 'Points' }),
  max_bet: Type.Number({ description: 'Points' }),
  max_win: Type.Number({ description: 'Points per round' }),
  default_lines: Type.Integer(),
  enabled: Type.Boolean(),
  rules: text('slot-1'),
  rules_text: text('rules slot-1', 'Rules, one fact per line'),
  rules_hash: text(EXAMPLE.hash, 'SHA-256 of rules_text'),
  return: Type.Object({ fraction: text('19/20'), percent: Type.Number() }),
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

/** Configuration by the key of each game. */
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

export const Leader = named('Leader', {
  rank: Type.Integer(),
  nickname: nullableText(),
  public_id: text(EXAMPLE.player),
  amount: Type.Number(),
});
export type Leader = Static<typeof Leader>;

const RECENT_WINS_MAX = 50;

export const RecentWin = named('RecentWin', {
  id: text('34'),
  game_type: text('slot_machine'),
  user_nickname: nullableText(),
  user_id: text(EXAMPLE.player, 'Public id of the winner'),
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
    summary:
      'Get a leaderboard: total points won (deposit), rounds won (wins), points balance (points)',
    params: Type.Object({
      board: oneOf(BOARDS),
    }),
    data: Type.Array(Leader),
  }),
  gameConfigs: call('GET', '/game/configs', 'public', {
    summary: 'Get the limits, odds and return of every game',
    data: GameConfigs,
  }),
  recentWinnings: call('GET', '/recent-winnings', 'public', {
    summary: 'List the latest big wins',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECENT_WINS_MAX, default: 10 })),
    }),
    data: Type.Array(RecentWin),
  }),
};
