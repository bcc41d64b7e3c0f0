import { type Static, Type } from 'typebox';
import {
  Amount,
  ASSETS,
  Cursor,
  Json,
  Limit,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  PlayerRef,
  Position,
  QueryText,
  sentenceFields,
  Time,
} from './parts.ts';

export const PlayersQuery = Type.Object(
  {
    q: QueryText('The beginning of a wallet, a public id or a nickname; all players without'),
    after: QueryText('`next` of the page before'),
    limit: Limit(50),
  },
  { additionalProperties: false },
);
export type PlayersQuery = Static<typeof PlayersQuery>;

export const PlayersPage = Type.Object({
  players: Type.Array(
    Type.Object({
      ...PlayerRef.properties,
      balances: Type.Array(Amount),
      position: Type.Integer({ description: 'Of the last event that moved them' }),
    }),
  ),
  next: nullableText('`after` of the next page; null: there is none'),
});
export type PlayersPage = Static<typeof PlayersPage>;

export const WalletParams = Type.Object({
  wallet: Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }),
});

const Figures = Type.Object({
  rounds: Type.Integer(),
  wins: Type.Integer(),
  staked: Amount,
  won: Amount,
  net: Amount,
});

/** A player from the current state of the stream: never behind, except what is said of all time. */
export const PlayerDetail = Type.Object({
  ...PlayerRef.properties,
  stream: Type.String(),
  version: Type.Integer(),
  position: Type.Integer({ description: 'Of the last event of the stream' }),
  registered: nullable(Type.Object({ position: Position, time: Time })),
  balances: Type.Array(Amount),
  held: Type.Array(Amount, { description: 'In withdrawals that are not paid yet' }),
  rounds: Type.Integer({ description: 'Ever begun' }),
  open_rounds: Type.Array(
    Type.Object({ round: Type.String(), game: Type.String(), stake: Amount }),
  ),
  open_withdrawals: Type.Integer(),
  seeds: nullable(
    Type.Object({
      pair: Type.Integer(),
      server_seed_hash: Type.String(),
      next_server_seed_hash: Type.String(),
      client_seed: Type.String(),
      nonce: Type.Integer(),
    }),
  ),
  limits: Type.Array(
    Type.Object({
      limit: Type.String(),
      period: Type.String(),
      amount: Amount,
      used: Amount,
      pending: nullable(Type.Object({ amount: nullable(Amount), holds_from: Time })),
    }),
  ),
  excluded: nullable(Type.Object({ until: nullableText('Null: for good') })),
  reality_check_minutes: nullableInteger('What the player chose'),
  session: nullable(
    Type.Object({
      position: Position,
      since: Time,
      ...Figures.properties,
    }),
  ),
  all_time: Type.Object({
    ...Figures.properties,
    deposited: Amount,
    withdrawn: Amount,
  }),
  state: Json,
});
export type PlayerDetail = Static<typeof PlayerDetail>;

export const StatementQuery = Type.Object(
  {
    asset: oneOf(ASSETS),
    before: Cursor('`next` of the page before'),
    from: QueryText('ISO 8601, included'),
    to: QueryText('ISO 8601, not included'),
    limit: Limit(50),
  },
  { additionalProperties: false },
);
export type StatementQuery = Static<typeof StatementQuery>;

/** Newest first. `after` of a line is `amount` more than `after` of the line below it, or the book is wrong. */
export const Statement = Type.Object({
  wallet: Type.String(),
  lines: Type.Array(
    Type.Object({
      position: Position,
      time: Time,
      type: Type.String(),
      ...sentenceFields,
      round: nullableText(),
      withdrawal: nullableText(),
      signature: nullableText(),
      amount: Amount,
      after: Amount,
    }),
  ),
  opening: Amount,
  closing: Amount,
  next: nullableInteger('`before` of the next older page; null: there is none'),
});
export type Statement = Static<typeof Statement>;
