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
import {
  Amount,
  ASSETS,
  Cursor,
  Limit,
  PLAIN,
  PlayerRef,
  QueryText,
  sentenceFields,
} from './common.ts';

const EXPLORER_PAGE_MAX = 500;

/** Filters of events. An event must match all of them; unknown filters are refused. */
export const filterFields = {
  types: QueryText('Event types, separated by commas; matches any of them'),
  kind: QueryText('Kind of stream: player, config, treasury, seals or operators'),
  wallet: QueryText('Wallet of the player whose stream it is in'),
  public_id: QueryText('Public id of the player whose stream it is in'),
  asset: Type.Optional(oneOf(ASSETS, 'Events that changed the balance of this asset')),
  direction: Type.Optional(
    oneOf(['credit', 'debit'], 'Whether the player received `asset` or gave it'),
  ),
  account: QueryText('Events that moved house, fees, withdrawals, unmatched or chain'),
  min_minor: QueryText(
    'Minimum change of `asset`, absolute, in minor units; without `asset` of either one, in 10^-9 units',
  ),
  max_minor: QueryText('Maximum change, like `min_minor`'),
  from: QueryText('Earliest time, ISO 8601, inclusive'),
  to: QueryText('Latest time, ISO 8601, exclusive'),
  from_position: Cursor('First position, inclusive'),
  to_position: Cursor('Last position, inclusive'),
  game: QueryText('Id of a game, such as slot-machine'),
  round: QueryText('Id of a round'),
  rules: QueryText('Version of the rules of a game'),
  correlation: QueryText('Correlation id: one request and every event that it caused'),
  command: QueryText('Id of a command, 32 hex digits'),
  actor: QueryText('player:<wallet>, operator:<wallet> or system:<part>'),
  signature: QueryText('Signature of a Solana transaction'),
  withdrawal: QueryText('Id of a withdrawal'),
  hash: QueryText('Hash of an event, 64 hex digits'),
};

export const ExplorerQuery = closed({
  ...filterFields,
  before: Cursor('`next` of the previous page; returns older events'),
  after: Cursor('`tail` of the previous response; returns newer events, oldest first'),
  limit: Limit(50, EXPLORER_PAGE_MAX),
});
export type ExplorerQuery = Static<typeof ExplorerQuery>;

export const ExplorerEntry = Type.Object({
  position: Position,
  time: Time,
  type: Type.String(),
  ...sentenceFields,
  player: nullable(PlayerRef),
  amounts: Type.Array(Amount, {
    description: 'Changes of the balances of the player, signed; empty if none',
  }),
  round: nullableText(),
  signature: nullableText('Signature of its Solana transaction'),
  withdrawal: nullableText(),
});
export type ExplorerEntry = Static<typeof ExplorerEntry>;

export const ExplorerPage = Type.Object({
  entries: Type.Array(ExplorerEntry),
  next: nullableInteger('`before` of the next older page; null on the last page'),
  tail: Type.Integer({ description: '`after` of the next request for newer events' }),
  head: Type.Integer({ description: 'Last position of the ledger' }),
  reached: Type.Integer({ description: 'Last position that the explorer has indexed' }),
});
export type ExplorerPage = Static<typeof ExplorerPage>;

/** Matches beyond this number are not counted. */
export const COUNT_MAX = 10_000;

const MatchCount = Type.Object({
  count: Type.Integer({ description: `Number of matching events, at most ${COUNT_MAX}` }),
  more: Type.Boolean({ description: `true if there are more than ${COUNT_MAX}` }),
});

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

/** One match of an identifier. `filter` selects its events in the explorer. */
const Match = Type.Object({
  kind: oneOf(MATCH_KINDS),
  label: Type.String(),
  position: nullableInteger('Position of its newest event'),
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
    summary: 'List events, newest first; with `after`, list newer events, oldest first',
    query: ExplorerQuery,
    data: ExplorerPage,
  }),
  countMatches: call('GET', '/explorer/count', 'viewer', {
    summary: 'Count the events that match a filter',
    query: closed(filterFields),
    data: MatchCount,
  }),
  facets: call('GET', '/explorer/facets', 'viewer', {
    summary: 'List the values that filters accept',
    data: Facets,
  }),
  find: call('GET', '/find', 'viewer', {
    summary: 'Find what an identifier refers to',
    query: closed({
      q: Type.Unsafe<string | number>({
        type: ['string', 'integer'],
        minLength: 1,
        maxLength: 200,
        pattern: PLAIN,
        description:
          'Position, hash or its start, round, command, correlation, withdrawal, wallet, public id or signature',
      }),
    }),
    data: Matches,
  }),
};
