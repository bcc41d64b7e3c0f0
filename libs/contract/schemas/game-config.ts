import { type Static, Type } from 'typebox';
import { Choice } from './common.ts';

export const PaytableRow = Type.Object({
  row: Type.String(),
  symbols: Type.Array(Type.Unsafe<number | null>({ type: ['integer', 'null'] }), {
    description: 'Null stands for any symbol; empty for a game without symbols',
  }),
  multiple: Type.Number({ description: 'Of the bet' }),
  weight: Type.Integer(),
  of: Type.Integer(),
  odds: Type.String(),
});
export type PaytableRow = Static<typeof PaytableRow>;

export const TimedConfig = Type.Object({
  fee: Type.Number({ description: 'Points a round' }),
  tick_ms: Type.Integer(),
  ticks_max: Type.Integer({ description: 'No round lasts longer' }),
  end_percent: Type.Number({ description: 'The chance that a tick is the last one' }),
  fields: Type.Object({}, { additionalProperties: Type.String() }),
});

/** What of a game's figures follows from a choice, such as its paytable, is given for `initial`. */
export const ChoiceConfig = Type.Object({
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
