import { type Static, Type } from 'typebox';
import { closed, NumberText, oneOf } from '../common.ts';
import { adminTopic } from '../route.ts';
import { ASSETS, Cursor, Limit, PLAIN, QueryText } from './common.ts';

const PositionParams = Type.Object({
  position: NumberText,
});

/** Maximum events of a graph. */
export const NODES_MAX = 60;

const EvidenceQuery = closed({
  of: oneOf(['event', 'round', 'withdrawal', 'player']),
  id: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    minimum: 1,
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Position, round, withdrawal or wallet',
  }),
  from: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  to: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
export type EvidenceQuery = Static<typeof EvidenceQuery>;

const call = adminTopic('events');

export const eventsRoutes = {
  event: call('GET', '/events/:position', 'viewer', {
    summary: 'Get an event: its text and hashes, postings, and the state before and after',
    params: PositionParams,
  }),
  eventProof: call('GET', '/events/:position/proof', 'viewer', {
    summary: 'Get the proof of an event: its hashes, and its inclusion in a seal',
    params: PositionParams,
  }),
  eventGraph: call('GET', '/events/:position/graph', 'viewer', {
    summary: `Get the causes and effects of an event, at most ${NODES_MAX} events`,
    params: PositionParams,
  }),
  eventRound: call('GET', '/events/:position/round', 'viewer', {
    summary: 'Get the round of an event, recomputed from its seeds',
    params: PositionParams,
  }),
  evidence: call('GET', '/evidence', 'viewer', {
    summary: 'Get signed evidence on an event, a round, a withdrawal or a player',
    query: EvidenceQuery,
  }),
};

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

/** Matches beyond this number are not counted. */
export const COUNT_MAX = 10_000;

const explorerCall = adminTopic('explorer');

export const explorerRoutes = {
  explorer: explorerCall('GET', '/explorer', 'viewer', {
    summary: 'List events, newest first; with `after`, list newer events, oldest first',
    query: ExplorerQuery,
  }),
  countMatches: explorerCall('GET', '/explorer/count', 'viewer', {
    summary: 'Count the events that match a filter',
    query: closed(filterFields),
  }),
  find: explorerCall('GET', '/find', 'viewer', {
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
  }),
};
