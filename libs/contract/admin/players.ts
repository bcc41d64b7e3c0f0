import { PERIODS } from '@reelbook/ledger/calendar';
import { EXCLUSION_TERMS, LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
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
  Acted,
  Amount,
  ASSETS,
  At,
  Cursor,
  Done,
  Id,
  Json,
  Limit,
  PlayerRef,
  QueryText,
  Reason,
  ReasonBody,
  sentenceFields,
  Wallet,
  WalletParams,
} from './common.ts';
import { Change } from './events.ts';

const Decided = {
  position: Position,
  since: Time,
  by: Type.String({ description: 'Actor: an operator, or the player' }),
  reason: nullableText('null: the player gave none'),
};

/** What keeps a player from playing, with the event that began it. */
export const Standing = Type.Object({
  suspended: nullable(Type.Object(Decided)),
  excluded: nullable(Type.Object({ ...Decided, until: nullableText('null: permanently') })),
});
export type Standing = Static<typeof Standing>;

export const PlayersPage = Type.Object({
  players: Type.Array(
    Type.Object({
      ...PlayerRef.properties,
      balances: Type.Array(Amount),
      position: Type.Integer({ description: 'Position of the last event of the player' }),
      standing: Standing,
    }),
  ),
  next: nullableText('`after` of the next page; null on the last page'),
});
export type PlayersPage = Static<typeof PlayersPage>;

const Note = Type.String({
  minLength: 1,
  maxLength: REASON_MAX_LENGTH,
  description: `Text of the note, at most ${REASON_MAX_LENGTH} characters`,
});

const Figures = Type.Object({
  rounds: Type.Integer(),
  wins: Type.Integer(),
  staked: Amount,
  won: Amount,
  net: Amount,
});

/** A player from the state of the stream at a position; the nickname is the current one. */
export const PlayerDetail = Type.Object({
  ...PlayerRef.properties,
  stream: Type.String(),
  version: Type.Integer(),
  position: Type.Integer({ description: 'Position of the last event of the stream' }),
  registered: nullable(Type.Object({ position: Position, time: Time })),
  balances: Type.Array(Amount),
  held: Type.Array(Amount, { description: 'Amounts in withdrawals that are not paid yet' }),
  rounds: Type.Integer({ description: 'Number of rounds ever started' }),
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
  excluded: nullable(Type.Object({ until: nullableText('null: permanently') })),
  standing: Standing,
  reality_check_minutes: nullableInteger('Interval that the player chose; null if none'),
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
  stored_differs: Type.Array(Change, {
    description:
      'Where the stored current state (after) differs from the fold of the events (before), which is shown; actions are then refused',
  }),
});
export type PlayerDetail = Static<typeof PlayerDetail>;

/** Newest first. `after` of a line equals `amount` plus `after` of the next line; any difference is a fault. */
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
  next: nullableInteger('`before` of the next older page; null on the last page'),
});
export type Statement = Static<typeof Statement>;

/** Newest first. */
const Notes = Type.Array(
  Type.Object({ position: Position, time: Time, by: Type.String(), note: Type.String() }),
);

const call = adminTopic('players');

export const playersRoutes = {
  players: call('GET', '/players', 'viewer', {
    summary: 'List players, or search them by prefix',
    query: closed({
      q: QueryText('Prefix of a wallet, public id or nickname; default: all players'),
      at: At,
      after: QueryText('`next` of the previous page'),
      limit: Limit(50),
    }),
    data: PlayersPage,
  }),
  player: call('GET', '/players/:wallet', 'viewer', {
    summary: 'Get the state of a player at a position',
    params: WalletParams,
    query: closed({ at: At }),
    data: PlayerDetail,
  }),
  statement: call('GET', '/players/:wallet/statement', 'viewer', {
    summary: 'List the changes of a balance, with the balance after each, newest first',
    params: WalletParams,
    query: closed({
      asset: oneOf(ASSETS),
      before: Cursor('`next` of the previous page'),
      from: QueryText('Earliest time, ISO 8601, inclusive'),
      to: QueryText('Latest time, ISO 8601, exclusive'),
      limit: Limit(50),
    }),
    data: Statement,
  }),
  suspendPlayer: call('POST', '/players/:wallet/suspend', 'operator', {
    summary: 'Suspend a player: no play, purchase of points or deposit; withdrawals stay possible',
    params: WalletParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Done,
  }),
  reinstatePlayer: call('POST', '/players/:wallet/reinstate', 'operator', {
    summary: 'Propose to end the suspension of a player',
    params: WalletParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Acted,
  }),
  playerNotes: call('GET', '/players/:wallet/notes', 'viewer', {
    summary: 'List the notes of operators on a player, newest first',
    params: WalletParams,
    data: Notes,
  }),
  notePlayer: call('POST', '/players/:wallet/notes', 'operator', {
    summary: 'Add a note on a player for other operators; enter no personal data',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ note: Note }),
    data: Done,
  }),
  limitPlayer: call('PUT', '/players/:wallet/limits', 'operator', {
    summary: 'Lower a limit of a player immediately; only the player can raise it',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({
      kind: oneOf(LIMIT_KINDS),
      period: oneOf(PERIODS),
      minor: Type.String({
        pattern: '^(0|[1-9]\\d{0,18})$',
        description: 'Minor units: of BSM for deposits, else of points',
      }),
      reason: Reason,
    }),
    data: Done,
  }),
  excludePlayer: call('POST', '/players/:wallet/exclusion', 'operator', {
    summary: 'Exclude a player from play; an exclusion cannot be shortened',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ term: oneOf(EXCLUSION_TERMS), reason: Reason }),
    data: Done,
  }),
};

const RoundParams = Type.Object({ wallet: Wallet, round: Id });

const adjustmentCall = adminTopic('adjustments');

export const adjustmentsRoutes = {
  voidRound: adjustmentCall('POST', '/players/:wallet/rounds/:round/void', 'operator', {
    summary:
      'Void an open round and return its stake; above a threshold, a second operator must confirm',
    params: RoundParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: Acted,
  }),
  adjustBalance: adjustmentCall('POST', '/players/:wallet/adjustments', 'operator', {
    summary:
      'Add to or take from a balance, against the house account; above a threshold it needs approval',
    params: WalletParams,
    headers: KeyHeaders,
    body: closed({ amount: Amount, reason: Reason }),
    data: Acted,
  }),
};
