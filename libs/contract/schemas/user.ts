import { type Static, Type } from 'typebox';
import { nullableText, Position, Time } from './common.ts';

export const User = Type.Object({
  wallet_address: Type.String(),
  public_id: Type.String({ description: 'What other players see: opaque, never the wallet' }),
  nickname: nullableText(),
  display_name: Type.String({
    description: 'The nickname, or "User" and the end of the public id',
  }),
  level: Type.Integer(),
  experience: Type.Integer(),
  next_level_experience: Type.Integer(),
});
export type User = Static<typeof User>;

export const LoginBody = Type.Object(
  {
    wallet_address: Type.String({ maxLength: 64, description: 'Public key in base58' }),
    signature: Type.String({ maxLength: 512, description: '64 bytes as "12,34,..."' }),
    message: Type.String({ maxLength: 256, description: 'The login sentence and milliseconds' }),
  },
  { additionalProperties: false },
);
export type LoginBody = Static<typeof LoginBody>;

export const Session = Type.Object({
  token: Type.String(),
  expires_at: Time,
  user: User,
});
export type Session = Static<typeof Session>;

export const ProfileBody = Type.Object(
  { nickname: Type.String({ maxLength: 400 }) },
  { additionalProperties: false },
);
export type ProfileBody = Static<typeof ProfileBody>;

export const Transaction = Type.Object({
  id: Type.String(),
  type: Type.Unsafe<
    'bet' | 'win' | 'void' | 'welcome' | 'adjustment' | 'exchange' | 'deposit' | 'withdraw'
  >({
    type: 'string',
  }),
  amount: Type.Number({ description: 'Signed: what left or reached the player' }),
  asset: Type.Unsafe<'points' | 'token'>({ type: 'string' }),
  status: Type.String({
    description:
      'completed; of deposits and withdrawals also pending, approved, processing, ' +
      'returned, failed, review',
  }),
  description: Type.String(),
  created_at: Time,
  extra_data: Type.String({ description: 'JSON text' }),
  position: Type.Integer({ description: 'Position in the book; 0: not in the book yet' }),
  balance_after: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Null: not in the book yet',
  }),
});
export type Transaction = Static<typeof Transaction>;

export const BOARDS = ['deposit', 'wins', 'points'] as const;
export type Board = (typeof BOARDS)[number];

export const BoardParams = Type.Object({
  board: Type.Unsafe<Board>({ type: 'string', enum: [...BOARDS] }),
});

export const Leader = Type.Object({
  rank: Type.Integer(),
  nickname: nullableText(),
  public_id: Type.String(),
  amount: Type.Number(),
});
export type Leader = Static<typeof Leader>;

const RECENT_WINS_MAX = 50;

export const RecentQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECENT_WINS_MAX, default: 10 })),
  },
  { additionalProperties: false },
);

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

export const ACHIEVEMENT_NAMES = [
  'first-win',
  'lucky-seven',
  'high-roller',
  'slot-master',
  'millionaire',
  'veteran',
] as const;

export const Achievement = Type.Object({
  name: Type.Unsafe<(typeof ACHIEVEMENT_NAMES)[number]>({ type: 'string' }),
  reached: Type.Number({ description: 'Wins, rounds or points, as the achievement counts' }),
  target: Type.Number(),
  earned_at: nullableText('ISO 8601, UTC; null until it is earned'),
  position: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'In the book: the round that earned it',
  }),
});
export type Achievement = Static<typeof Achievement>;
