import { type Static, Type } from 'typebox';
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
import { playerTopic } from '../route.ts';

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
  multiple: Type.Number({ description: 'Payout as a multiple of the bet' }),
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
export const RoundsQuery = closed({
  ...pageQuery(10).properties,
  ...periodQuery,
  status: Type.Optional(
    oneOf(
      ['won', 'lost', 'voided', 'open'],
      `A list with a status or a period ends after ${FILTERED_MAX}`,
    ),
  ),
});

const call = playerTopic('slot machine');

export const slotRoutes = {
  slotBet: call('POST', '/game/slot-machine/bet', 'player', {
    summary: 'Spin the slot machine once',
    headers: KeyHeaders,
    body: BetBody,
    data: BetResult,
  }),
  slotHistory: call('GET', '/game/slot-machine/history', 'player', {
    summary: "List the player's rounds of the slot machine, newest first",
    query: RoundsQuery,
    data: pageOf(Round),
  }),
  slotStats: call('GET', '/game/slot-machine/stats', 'player', {
    summary: "Get the player's statistics of the slot machine",
    data: SlotStats,
  }),
  slotSymbols: call('GET', '/game/slot-machine/symbols', 'public', {
    summary: 'List the four symbols',
    data: Type.Array(Type.Object({ id: Type.Integer(), name: text('comet') })),
  }),
  slotPaylines: call('GET', '/game/slot-machine/paylines', 'public', {
    summary: 'Get the number of lines played',
    data: Type.Object({
      lines_played: Type.Integer(),
      lines_accepted: Type.Integer(),
      note: text('One line is played, regardless of the number of lines in a bet'),
    }),
  }),
};
