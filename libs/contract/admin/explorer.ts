import { type Static, Type } from 'typebox';
import {
  closed,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { adminTopic } from '../route.ts';
import { Amount, ASSETS, Cursor, Limit, PLAIN, PlayerRef, QueryText } from './common.ts';

const EXPLORER_PAGE_MAX = 500;

/** What events are found by. All of it must hold; a part that is no part of this is refused. */
export const filterFields = {
  types: QueryText('Types of events, with commas between: any of them'),
  kind: QueryText('player, config, treasury, seals, operators'),
  wallet: QueryText('The player whose stream it stands in'),
  public_id: QueryText('The same by public id'),
  asset: Type.Optional(oneOf(ASSETS, 'Events that gave the player of it, or took')),
  min_minor: QueryText('At least so much of `asset`, without its sign, in minor units'),
  max_minor: QueryText('At most so much'),
  from: QueryText('ISO 8601, included'),
  to: QueryText('ISO 8601, not included'),
  from_position: Cursor('Included'),
  to_position: Cursor('Included'),
  game: QueryText('As the ledger names it: slot-machine'),
  round: QueryText('Exact'),
  rules: QueryText('Rules version'),
  correlation: QueryText('Exact: one request and all that it caused'),
  command: QueryText('32 hex digits'),
  actor: QueryText('player:<wallet>, operator:<wallet> or system:<part>'),
  signature: QueryText('Of a transaction on the chain'),
  withdrawal: QueryText('Id of a withdrawal'),
  hash: QueryText('Of an event: 64 hex digits'),
};

export const ExplorerQuery = closed({
  ...filterFields,
  before: Cursor('The next older page: `next` of the page before'),
  after: Cursor('Live tail: what came since, oldest first; `tail` of the answer before'),
  limit: Limit(50, EXPLORER_PAGE_MAX),
});
export type ExplorerQuery = Static<typeof ExplorerQuery>;

export const ExplorerEntry = Type.Object({
  position: Position,
  time: Time,
  type: Type.String(),
  kind: Type.String(),
  player: nullable(PlayerRef),
  version: Type.Integer(),
  amounts: Type.Array(Amount, { description: 'What it gave the player, signed; empty: nothing' }),
  game: nullableText(),
  round: nullableText(),
  rules: nullableText(),
  correlation: Type.String(),
  command: Type.String(),
  actor: Type.String(),
  signature: nullableText('Of the transaction on the chain'),
  withdrawal: nullableText(),
});
export type ExplorerEntry = Static<typeof ExplorerEntry>;

export const ExplorerPage = Type.Object({
  entries: Type.Array(ExplorerEntry),
  next: nullableInteger('`before` of the next older page; null: there is none'),
  tail: Type.Integer({ description: '`after` of the next look at what is new; 0: from the start' }),
  head: Type.Integer({ description: 'The last position of the ledger' }),
  reached: Type.Integer({ description: 'How far the explorer has come: behind head by its lag' }),
});
export type ExplorerPage = Static<typeof ExplorerPage>;

/** What a filter may name. */
export const Facets = Type.Object({
  types: Type.Array(Type.String()),
  kinds: Type.Array(Type.String()),
  games: Type.Array(
    Type.Object({
      game: Type.String(),
      title: Type.String(),
      rules: Type.Array(Type.String()),
    }),
  ),
  accounts: Type.Array(Type.String(), { description: 'Accounts that are not players' }),
  lines: Type.Array(Type.String(), { description: 'Lines of the trial balance' }),
});
export type Facets = Static<typeof Facets>;

const MATCH_KINDS = [
  'event',
  'player',
  'round',
  'command',
  'correlation',
  'withdrawal',
  'signature',
] as const;

/** What an identifier names. `filter` finds its events in the explorer. */
const Match = Type.Object({
  kind: oneOf(MATCH_KINDS),
  label: Type.String(),
  position: nullableInteger('Of its newest event'),
  wallet: nullableText(),
  filter: Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
});

export const Matches = Type.Object({ matches: Type.Array(Match) });
export type Matches = Static<typeof Matches>;

const call = adminTopic('explorer');

export const explorerRoutes = {
  explorer: call('GET', '/explorer', 'viewer', {
    summary: 'The ledger, newest first; with `after` what came since',
    query: ExplorerQuery,
    data: ExplorerPage,
  }),
  facets: call('GET', '/explorer/facets', 'viewer', {
    summary: 'What a filter may name',
    data: Facets,
  }),
  find: call('GET', '/find', 'viewer', {
    summary: 'What an identifier names',
    query: closed({
      q: Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        minLength: 1,
        maxLength: 200,
        pattern: PLAIN,
        description:
          'Any identifier: position, hash, round, command, correlation, withdrawal, wallet, public id, signature',
      }),
    }),
    data: Matches,
  }),
};
