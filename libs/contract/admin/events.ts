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
import { Amount, Facts, Hash, Json, PlayerRef } from './common.ts';

const PositionParams = Type.Object({
  position: NumberText,
});

/** One place where two states differ. `path` goes from the root: ["protection", "limits", "0"]. */
export const Change = Type.Object({
  path: Type.Array(Type.String()),
  kind: oneOf(['added', 'removed', 'changed']),
  before: Json,
  after: Json,
});

const Posting = Type.Object({
  account: Type.String(),
  amount: Amount,
});

/** What the server found wrong with the row; the browser checks the hash by itself. */
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
  correlation: Type.String(),
  command: Type.String(),
  body: Type.String({ description: 'The very text that was sealed' }),
  hash: Hash,
  previous_hash: Hash,
  postings: Type.Array(Posting),
  sums: Type.Array(Amount, { description: 'Per asset that it moves: zero, or it is a fault' }),
  state: nullable(
    Type.Object({
      before: Json,
      after: Json,
      changes: Type.Array(Change),
    }),
  ),
  state_missing: nullableText('Why there is no state'),
  round: nullableText('The round it belongs to'),
  seal: nullableInteger('The seal over it; null while there is none'),
  faults: Type.Array(EventFault),
  previous: nullableInteger('Position of the event before in its stream'),
  next: nullableInteger('Position of the event after in its stream'),
  head: Type.Integer(),
});
export type EventDetail = Static<typeof EventDetail>;

/** Events of a graph at most. */
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

/** Why it happened and what came of it. An edge goes from the cause to the effect. */
export const EventGraph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      position: Position,
      type: Type.String(),
      time: Time,
      stream: Type.String(),
      actor: Type.String(),
      facts: Facts,
      label: Type.String({ description: 'In few words, in English' }),
      amounts: Type.Array(Amount),
      signature: nullableText('Of a transaction on the chain'),
    }),
  ),
  edges: Type.Array(Type.Object({ from: Position, to: Position, relation: oneOf(RELATIONS) })),
  truncated: Type.Boolean({ description: `There is more than ${NODES_MAX} events to it` }),
});
export type EventGraph = Static<typeof EventGraph>;

/** A round as its own game can show it again, and as anyone can draw it again. */
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
  server_seed: nullableText('Null until it is revealed: nobody is told before'),
  client_seed: Type.String(),
  nonce: Type.Integer(),
  bet_position: Position,
  settled_position: nullableInteger(),
  /** Of an open round: an operator proposed to void it, and it waits for another. */
  void_proposed: Type.Optional(nullable(Type.Object({ by: Type.String(), reason: Type.String() }))),
  recomputed: Type.Object({
    result: oneOf(['holds', 'differs', 'awaiting reveal', 'open', 'voided']),
    by: oneOf(['revealed seed', 'sealed seed', 'nothing']),
    /** Of a voided round: what it would have paid. */
    payout: nullable(Amount),
    outcome: Json,
    faults: Type.Array(Type.String()),
  }),
});
export type ReplayedRound = Static<typeof ReplayedRound>;

export const CHAIN_EVENTS_MAX = 1_000;

/** Consecutive events for whoever follows the chain: hash = SHA-256(previous hash || body). */
const Chain = Type.Object({
  previous_hash: Hash,
  events: Type.Array(Type.Object({ position: Position, body: Type.String(), hash: Hash })),
  head: Type.Object({ position: Type.Integer(), hash: Hash }),
});

const call = adminTopic('events');

export const eventsRoutes = {
  event: call('GET', '/events/:position', 'viewer', {
    summary: 'An event as it was sealed, its postings, and the state before and after',
    params: PositionParams,
    data: EventDetail,
  }),
  eventProof: call('GET', '/events/:position/proof', 'viewer', {
    summary: 'Its place in the chain and under its seal, for the browser to check',
    params: PositionParams,
    data: EventProof,
  }),
  eventGraph: call('GET', '/events/:position/graph', 'viewer', {
    summary: 'Its causes and effects',
    params: PositionParams,
    data: EventGraph,
  }),
  eventRound: call('GET', '/events/:position/round', 'viewer', {
    summary: 'The round that it belongs to, drawn again',
    params: PositionParams,
    data: ReplayedRound,
  }),
  chain: call('GET', '/chain', 'auditor', {
    summary: 'Consecutive events with their hashes, to follow the chain',
    query: closed({
      from: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CHAIN_EVENTS_MAX, default: 500 })),
    }),
    data: Chain,
  }),
};
