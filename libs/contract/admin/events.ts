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
import { Amount, Facts, Hash, Json, PlayerRef, Posting, sentenceFields } from './common.ts';

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
  /** Set while a proposed void of an open round waits for a second operator. */
  void_proposed: Type.Optional(nullable(Type.Object({ by: Type.String(), reason: Type.String() }))),
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
