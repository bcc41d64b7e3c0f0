import { type Static, Type } from 'typebox';
import {
  Choice,
  closed,
  NumberText,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  Time,
} from '../common.ts';
import { EventProof } from '../player/fairness.ts';
import { adminTopic } from '../route.ts';
import {
  Amount,
  ASSETS,
  Cursor,
  Facts,
  Hash,
  Json,
  Limit,
  PLAIN,
  PlayerRef,
  Posting,
  QueryText,
  sentenceFields,
} from './common.ts';

const PositionParams = Type.Object({
  position: NumberText,
});

/** One difference between two states. `path` starts at the root: ["protection", "limits", "0"]. */
export const Change = Type.Object({
  path: Type.Array(Type.String()),
  kind: oneOf(['added', 'removed', 'changed']),
  before: Json,
  after: Json,
});

/** A fault that the server found in the row. The browser checks the hash separately. */
const EventFault = Type.Object({
  check: Type.String(),
  message: Type.String(),
});

export const EventDetail = Type.Object({
  position: Position,
  first_position: Position,
  stream: Type.String(),
  kind: Type.String(),
  player: nullable(PlayerRef),
  version: Type.Integer(),
  type: Type.String(),
  time: Time,
  actor: Type.String(),
  body: Type.String({ description: 'Exact text that is hashed' }),
  hash: Hash,
  previous_hash: Hash,
  postings: Type.Array(Posting),
  sums: Type.Array(Amount, {
    description: 'Sum of the postings per asset; anything but zero is a fault',
  }),
  state: nullable(
    Type.Object({
      before: Json,
      after: Json,
      changes: Type.Array(Change),
    }),
  ),
  ...sentenceFields,
  state_missing: nullableText('Why `state` is null'),
  round: nullableText('Id of its round'),
  seal: nullableInteger('Number of the seal that covers it; null if not sealed yet'),
  faults: Type.Array(EventFault),
  previous: nullableInteger('Position of the previous event of its stream'),
  next: nullableInteger('Position of the next event of its stream'),
  head: Type.Integer(),
});
export type EventDetail = Static<typeof EventDetail>;

/** Maximum events of a graph. */
const NODES_MAX = 60;

const RELATIONS = [
  'same command',
  'same request',
  'session',
  'seeds',
  'settles',
  'reveals',
  'funds',
  'resolves',
  'withdrawal',
] as const;

/** Causes and effects of an event. Edges point from cause to effect. */
export const EventGraph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      position: Position,
      type: Type.String(),
      time: Time,
      stream: Type.String(),
      actor: Type.String(),
      facts: Facts,
      label: Type.String({ description: 'English text' }),
      amounts: Type.Array(Amount),
      signature: nullableText('Signature of its Solana transaction'),
    }),
  ),
  edges: Type.Array(Type.Object({ from: Position, to: Position, relation: oneOf(RELATIONS) })),
  truncated: Type.Boolean({ description: `true if there are more than ${NODES_MAX} events` }),
});
export type EventGraph = Static<typeof EventGraph>;

/** A round with everything needed to display and recompute it. */
export const ReplayedRound = Type.Object({
  round: Type.String(),
  game: Type.String(),
  rules: Type.String(),
  status: oneOf(['open', 'won', 'lost', 'voided']),
  lines: Type.Integer(),
  choice: Type.Optional(Choice),
  stake: Amount,
  payout: nullable(Amount),
  outcome: Json,
  timed: nullable(Type.Object({ ticks: Type.Integer(), tick_ms: Type.Integer() })),
  server_seed_hash: Hash,
  server_seed: nullableText('null until it is revealed'),
  client_seed: Type.String(),
  nonce: Type.Integer(),
  bet_position: Position,
  settled_position: nullableInteger(),
  recomputed: Type.Object({
    result: oneOf(['holds', 'differs', 'awaiting reveal', 'open', 'voided']),
    by: oneOf(['revealed seed', 'sealed seed', 'nothing']),
    /** For a voided round: what it would have paid. */
    payout: nullable(Amount),
    outcome: Json,
    faults: Type.Array(Type.String()),
  }),
});
export type ReplayedRound = Static<typeof ReplayedRound>;

/** Maximum events in one file of evidence. */
const EVIDENCE_EVENTS_MAX = 500;

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

/** Signed: `reelbook-evidence-1`, a line break, and the object without `signature` as canonical JSON (RFC 8785). */
const Evidence = Type.Object({
  version: Type.String(),
  made_at: Time,
  operator: Type.String(),
  subject: Type.Object({ kind: EvidenceQuery.properties.of, id: Type.String() }),
  head: Type.Object({ position: Type.Integer(), hash: Hash }),
  events: Type.Array(Type.Object({ ...EventProof.properties, first_position: Position })),
  links: Type.Array(Type.Object({ from: Position, to: Position, relation: Type.String() }), {
    description: 'Causes and effects',
  }),
  decisions: Type.Array(
    Type.Object({
      position: Position,
      type: Type.String(),
      by: Type.String(),
      reason: nullableText(),
    }),
    { description: 'Proposals, approvals and other decisions with their reasons, from the events' },
  ),
  truncated: Type.Boolean({
    description: `true if the ledger has more events than the limit of ${EVIDENCE_EVENTS_MAX}`,
  }),
  signature: nullable(
    Type.Object({
      algorithm: Type.Unsafe<'ed25519'>({ type: 'string' }),
      public_key: Type.String({ description: '64 hexadecimal digits' }),
      value: Type.String({ description: '128 hexadecimal digits' }),
    }),
  ),
});

const call = adminTopic('events');

export const eventsRoutes = {
  event: call('GET', '/events/:position', 'viewer', {
    summary: 'Get an event: its text and hashes, postings, and the state before and after',
    params: PositionParams,
    data: EventDetail,
  }),
  eventProof: call('GET', '/events/:position/proof', 'viewer', {
    summary: 'Get the proof of an event: its hashes, and its inclusion in a seal',
    params: PositionParams,
    data: EventProof,
  }),
  eventGraph: call('GET', '/events/:position/graph', 'viewer', {
    summary: `Get the causes and effects of an event, at most ${NODES_MAX} events`,
    params: PositionParams,
    data: EventGraph,
  }),
  eventRound: call('GET', '/events/:position/round', 'viewer', {
    summary: 'Get the round of an event, recomputed from its seeds',
    params: PositionParams,
    data: ReplayedRound,
  }),
  evidence: call('GET', '/evidence', 'viewer', {
    summary: 'Get signed evidence on an event, a round, a withdrawal or a player',
    query: EvidenceQuery,
    data: Evidence,
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

const explorerCall = adminTopic('explorer');

export const explorerRoutes = {
  explorer: explorerCall('GET', '/explorer', 'viewer', {
    summary: 'List events, newest first; with `after`, list newer events, oldest first',
    query: ExplorerQuery,
    data: ExplorerPage,
  }),
  countMatches: explorerCall('GET', '/explorer/count', 'viewer', {
    summary: 'Count the events that match a filter',
    query: closed(filterFields),
    data: MatchCount,
  }),
  facets: explorerCall('GET', '/explorer/facets', 'viewer', {
    summary: 'List the values that filters accept',
    data: Facets,
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
    data: Matches,
  }),
};
