import { PERIODS } from '@reelbook/ledger/calendar';
import { EXCLUSION_TERMS } from '@reelbook/ledger/player/protection-commands';
import { LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { type Static, Type } from 'typebox';
import {
  closed,
  KeyHeaders,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { adminTopic } from '../route.ts';
import {
  Amount,
  ASSETS,
  Cursor,
  Done,
  Json,
  Limit,
  PlayerRef,
  QueryText,
  Reason,
  ReasonBody,
  sentenceFields,
  WalletParams,
} from './common.ts';

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

/** Newest first. `after` of a line is `amount` more than `after` of the line below it, or the ledger is wrong. */
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

/** Newest first. */
const Notes = Type.Array(
  Type.Object({ position: Position, time: Time, by: Type.String(), note: Type.String() }),
);

const call = adminTopic('players');

export const playersRoutes = {
  players: call('GET', '/players', 'viewer', {
    summary: 'Players by the beginning of a wallet, public id or nickname',
    query: closed({
      q: QueryText('The beginning of a wallet, a public id or a nickname; all players without'),
      after: QueryText('`next` of the page before'),
      limit: Limit(50),
    }),
    data: PlayersPage,
  }),
  player: call('GET', '/players/:wallet', 'viewer', {
    summary: 'A player as of now',
    params: WalletParams,
    data: PlayerDetail,
  }),
  statement: call('GET', '/players/:wallet/statement', 'viewer', {
    summary: 'What moved a balance of a player, with the balance after each',
    params: WalletParams,
    query: closed({
      asset: oneOf(ASSETS),
      before: Cursor('`next` of the page before'),
      from: QueryText('ISO 8601, included'),
      to: QueryText('ISO 8601, not included'),
      limit: Limit(50),
    }),
    data: Statement,
  }),
  suspendPlayer: call('POST', '/players/:wallet/suspend', 'operator', {
    summary: 'No play, no points bought, no deposit meant; every way out stays open',
    params: WalletParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
  reinstatePlayer: call('POST', '/players/:wallet/reinstate', 'operator', {
    summary: 'End a suspension',
    params: WalletParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
  playerNotes: call('GET', '/players/:wallet/notes', 'viewer', {
    summary: 'What operators noted of a player, newest first',
    params: WalletParams,
    data: Notes,
  }),
  notePlayer: call('POST', '/players/:wallet/notes', 'operator', {
    summary: 'Note something of a player for other operators; no personal data',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ note: Reason }),
    data: Done,
  }),
  limitPlayer: call('PUT', '/players/:wallet/limits', 'operator', {
    summary: "Tighten a player's limit, at once; looser is for the player alone",
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({
      kind: oneOf(LIMIT_KINDS),
      period: oneOf(PERIODS),
      minor: Type.String({
        pattern: '^(0|[1-9]\\d{0,18})$',
        description: 'Minor units: of token for deposits, of points else',
      }),
      reason: Reason,
    }),
    data: Done,
  }),
  excludePlayer: call('POST', '/players/:wallet/exclusion', 'operator', {
    summary: 'Exclude a player from play; an exclusion is never made shorter',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ term: oneOf(EXCLUSION_TERMS), reason: Reason }),
    data: Done,
  }),
};
