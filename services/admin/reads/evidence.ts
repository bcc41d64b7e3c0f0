import type { EvidenceQuery } from '@reelbook/contract/admin/events';
import { rowsOf, tables } from '@reelbook/event-store/query';
import { readEvent, readHead } from '@reelbook/event-store/read-log';
import { readStream } from '@reelbook/event-store/read-stream';
import {
  decisionsOf,
  EVIDENCE_EVENTS_MAX,
  EVIDENCE_VERSION,
  type Evidence,
  type EvidenceEvent,
  evidenceText,
} from '@reelbook/games/proofs/evidence';
import { signText } from '@reelbook/games/proofs/signature';
import { Refused } from '@reelbook/http/refused';
import type { Prover } from '@reelbook/inspection/prover';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { playerStream, WALLET_PATTERN } from '@reelbook/ledger/streams';
import { readExplorer } from '@reelbook/projections/entries/read';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Admin } from '../context.ts';
import { readGraph } from './event-graph.ts';

/** Events of a command whose later events are in the file are added to it: room for them is kept. */
const PLAYER_EVENTS_MAX = EVIDENCE_EVENTS_MAX / 2;
/** Events between a proposal and its confirmation that are searched for approvals. */
const PROPOSAL_EVENTS_MAX = 100;

interface Found {
  readonly positions: readonly number[];
  readonly links: Evidence['links'];
  readonly truncated: boolean;
}

/** One signed file on the subject: its events, their proofs and causes, and who decided what and why. */
export async function readEvidence(
  { pool, clock, signKey }: Pick<Admin, 'pool' | 'clock' | 'signKey'>,
  prover: Prover,
  { query, operator }: { readonly query: EvidenceQuery; readonly operator: string },
): Promise<Evidence> {
  const found = await find(pool, query);
  const events = await proveAll(prover, found.positions);
  const [head, nowMs] = await Promise.all([readHead(pool), clock.nowMs()]);
  const unsigned = {
    version: EVIDENCE_VERSION,
    made_at: new Date(nowMs).toISOString(),
    operator,
    subject: { kind: query.of, id: String(query.id) },
    head: { position: head.position, hash: head.hash },
    events,
    links: found.links,
    decisions: decisionsOf(events),
    truncated: found.truncated,
  };
  const signature = signKey ? signText(evidenceText(unsigned), signKey) : null;
  return { ...unsigned, signature };
}

async function find(pool: pg.Pool, query: EvidenceQuery): Promise<Found> {
  const { of } = query;
  const id = String(query.id);
  if (of === 'player') return findOfPlayer(pool, query);
  if (of === 'event') return findAround(pool, /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0, query);
  const { entries: newest } = await readExplorer(pool, { filter: { [of]: id }, limit: 1 });
  return findAround(pool, newest[0]?.position ?? 0, query);
}

/** The event, its causes and effects, and the proposal and approvals that led to it. */
async function findAround(pool: pg.Pool, position: number, query: EvidenceQuery): Promise<Found> {
  const [event, graph] = await Promise.all([readEvent(pool, position), readGraph(pool, position)]);
  if (!event || !graph) throw nothingOn(query);
  const confirmed = await findProposal(pool, event);
  const links = confirmed
    .filter((one) => one < position)
    .map((from) => ({ from, to: position, relation: 'proposal' }));
  const positions = [position, ...graph.nodes.map((node) => node.position), ...confirmed];
  return { positions, links: [...graph.edges, ...links], truncated: graph.truncated };
}

async function findOfPlayer(pool: pg.Pool, query: EvidenceQuery): Promise<Found> {
  const { from, to } = query;
  const wallet = String(query.id);
  if (!WALLET_PATTERN.test(wallet)) throw nothingOn(query);
  // Not from the explorer, which may be behind: evidence saved after an action has its event.
  let own = tables
    .selectFrom('events')
    .select('position')
    .where('stream', '=', sql<string>`stream_key(${playerStream(wallet)})`)
    .orderBy('version', 'desc')
    .limit(PLAYER_EVENTS_MAX + 1);
  if (from !== undefined) own = own.where('position', '>=', from);
  if (to !== undefined) own = own.where('position', '<=', to);
  const newest = await rowsOf(pool, own);
  if (newest.length === 0) throw nothingOn(query);
  const positions = newest.slice(0, PLAYER_EVENTS_MAX).map(({ position }) => position);
  return { positions, links: [], truncated: newest.length > PLAYER_EVENTS_MAX };
}

/** The other events of an adjustment or of a proposal about configuration or roles. */
async function findProposal(pool: pg.Pool, event: RecordedEvent): Promise<readonly number[]> {
  const { adjustment, proposal } = event.event.data as {
    readonly adjustment?: unknown;
    readonly proposal?: unknown;
  };
  const { stream, version } = event;
  const number = numberOf(proposal);
  const fromVersion = number ?? Math.max(1, version - PROPOSAL_EVENTS_MAX / 2);
  if (number === null && typeof adjustment !== 'string') return [];
  const events = await readStream(pool, { stream, fromVersion, limit: PROPOSAL_EVENTS_MAX });
  const isSame = ({ version: at, event: { data } }: RecordedEvent) => {
    const of = data as { readonly adjustment?: unknown; readonly proposal?: unknown };
    return number === null
      ? of.adjustment === adjustment
      : at === number || numberOf(of.proposal) === number;
  };
  return events.filter(isSame).map(({ position }) => position);
}

function numberOf(proposal: unknown): number | null {
  const value =
    typeof proposal === 'object' && proposal !== null
      ? (proposal as { readonly number?: unknown }).number
      : proposal;
  return typeof value === 'number' ? value : null;
}

/** In order; with the first event of each command, whose text has the actor. */
async function proveAll(
  prover: Prover,
  positions: readonly number[],
): Promise<readonly EvidenceEvent[]> {
  const events = new Map<number, EvidenceEvent>();
  for (const wanted of positions) {
    for (let position: number | null = wanted; position !== null && !events.has(position); ) {
      const proven = await prover.prove(position);
      if (!proven) break;
      const { firstPosition } = proven.recorded;
      events.set(position, { ...proven.proof, first_position: firstPosition });
      position = firstPosition;
    }
  }
  return [...events.values()].toSorted((a, b) => a.position - b.position);
}

function nothingOn({ of, id }: EvidenceQuery): Refused {
  const what = `the ledger has no event of ${of} ${id}`;
  return new Refused({ failed: 'not-found', detail: { what } });
}
