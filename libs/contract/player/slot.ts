import { type Static, Type } from 'typebox';
import {
  balanceFields,
  Choice,
  closed,
  KeyHeaders,
  Outcome,
  Position,
  pageOf,
  pageQuery,
  Time,
} from '../common.ts';
import { playerTopic } from '../route.ts';

/** How many lines a client that names none is recorded with. */
export const DEFAULT_LINES = 25;

/** Limits of stake and lines are configuration: the rules refuse what lies outside, with their own phrases. */
export const BetBody = closed({
  bet_amount: Type.Number({ description: 'Whole points' }),
  lines: Type.Optional(Type.Integer({ default: DEFAULT_LINES })),
});
export type BetBody = Static<typeof BetBody>;

/** All that a round's outcome follows from, and where it stands in the ledger. */
const proof = {
  rules: Type.String({ description: 'Version of the rules it was decided under' }),
  server_seed_hash: Type.String(),
  client_seed: Type.String(),
  nonce: Type.Integer(),
  bet_position: Position,
};

const reels = Type.Array(Type.Integer({ minimum: 1, maximum: 4 }), { minItems: 3, maxItems: 3 });

export const BetResult = Type.Object({
  round_id: Type.String(),
  symbols: Type.Array(reels, { description: 'The first entry is the three reels' }),
  row: Type.String({ description: 'Row of the paytable' }),
  multiple: Type.Number(),
  total_win: Type.Number(),
  win_amount: Type.Number(),
  is_jackpot: Type.Boolean(),
  capped: Type.Boolean({ description: 'The maximum win cut the payout' }),
  bet_amount: Type.Number(),
  lines: Type.Integer(),
  ...proof,
  created_at: Time,
  ...balanceFields,
});
export type BetResult = Static<typeof BetResult>;

const roundFields = {
  id: Type.String(),
  round_id: Type.String(),
  type: Type.Unsafe<'game_win' | 'game_loss'>({ type: 'string' }),
  amount: Type.Number({ description: 'Net and signed: payout less stake' }),
  status: Type.String({ description: 'completed, or voided by an operator' }),
  description: Type.String(),
  created_at: Time,
  extra_data: Type.String({ description: 'JSON text: action and what the round showed' }),
  game: Type.String(),
  symbols: Type.Array(reels, { description: "The slot machine's; empty for other games" }),
  row: Type.String({ description: "The slot machine's; empty for other games" }),
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

export const SlotStats = Type.Object({
  total_games: Type.Integer(),
  win_rate: Type.Number({ description: 'Percent' }),
  total_win: Type.Number(),
  biggest_win: Type.Number(),
  total_bet: Type.Number(),
  net: Type.Number(),
});
export type SlotStats = Static<typeof SlotStats>;

const call = playerTopic('slot machine');

export const slotRoutes = {
  slotBet: call('POST', '/game/slot-machine/bet', 'player', {
    summary: 'Spin once',
    headers: KeyHeaders,
    body: BetBody,
    data: BetResult,
  }),
  slotHistory: call('GET', '/game/slot-machine/history', 'player', {
    summary: "The player's rounds, newest first",
    query: pageQuery(10),
    data: pageOf(Round),
  }),
  slotStats: call('GET', '/game/slot-machine/stats', 'player', {
    summary: "The player's figures",
    data: SlotStats,
  }),
  slotSymbols: call('GET', '/game/slot-machine/symbols', 'public', {
    summary: 'The four symbols',
    data: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  }),
  slotPaylines: call('GET', '/game/slot-machine/paylines', 'public', {
    summary: 'How many lines are played',
    data: Type.Object({
      lines_played: Type.Integer(),
      lines_accepted: Type.Integer(),
      note: Type.String(),
    }),
  }),
};
