import type { EvidenceQuery } from '@reelbook/contract/admin/events';
import { rowsOf, tables } from '@reelbook/event-store/query';
import { readEvent, readHead } from '@reelbook/event-store/read-log';
import { type CommittedSeeds, readCommitment, readStream } from '@reelbook/event-store/read-stream';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { checkRound, drawBet } from '@reelbook/games/check';
import type { Game } from '@reelbook/games/game';
import {
  decisionsOf,
  EVIDENCE_EVENTS_MAX,
  EVIDENCE_VERSION,
  type Evidence,
  type EvidenceEvent,
  evidenceText,
} from '@reelbook/games/proofs/evidence';
import { signText } from '@reelbook/games/proofs/signature';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/routes';
import { toPlain } from '@reelbook/inspection/point-in-time';
import type { Prover } from '@reelbook/inspection/prover';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetPlaced, BetVoided, BetWon } from '@reelbook/ledger/player/events';
import type { Agreed } from '@reelbook/ledger/proposals';
import { OPERATORS_STREAM, playerStream, WALLET_PATTERN } from '@reelbook/ledger/streams';
import { readExplorer } from '@reelbook/projections/entries/read';
import { readServerSeed } from '@reelbook/projections/seeds/projection';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Admin, type AdminHandlers, actorOf } from '../context.ts';
import { points } from './convert.ts';
import { inspectEvent, roundOf } from './event.ts';
import { readGraph } from './event-graph.ts';
import type { InspectionCaches } from './point-in-time.ts';

const ROUND_EVENTS_MAX = 2;
const ENDS = ['BetWon', 'BetLost', 'BetVoided'] as const;

type Placed = BetPlaced['data'] & CommittedSeeds;
type Settled = BetWon | BetLost | BetVoided | null;

/** The round of the event at a position; null if it has none. */
async function readReplayedRound(
  pool: pg.Pool,
  vault: SeedVault | null,
  position: number,
  games: readonly Game[],
) {
  const event = await readEvent(pool, position);
  const name = event && roundOf(event);
  if (!name) return null;
  const events = await readRoundEvents(pool, name, event);
  const bet = events.find((one) => one.event.type === 'BetPlaced');
  if (bet?.event.type !== 'BetPlaced') return null;
  const end = events.find(({ event: { type } }) => (ENDS as readonly string[]).includes(type));
  const settled = (end?.event ?? null) as Settled;
  const seeds = await readCommitment(pool, bet as RecordedEvent<BetPlaced>);
  const placed = { ...bet.event.data, ...seeds };
  const serverSeed = await readServerSeed(pool, placed.serverSeedHash);
  return {
    round: placed.round,
    game: placed.game,
    rules: placed.rules,
    lines: placed.lines,
    status: statusOf(settled),
    ...(placed.choice && { choice: placed.choice }),
    stake: points(placed.stakeMinor),
    payout: payoutOf(settled),
    outcome: settled && settled.type !== 'BetVoided' ? settled.data.outcome : null,
    timed: placed.timed ? { ticks: placed.timed.ticks, tick_ms: placed.timed.tickMs } : null,
    server_seed_hash: placed.serverSeedHash,
    // Null until it is revealed. An encrypted seed is used to recompute the round, but not returned.
    server_seed: serverSeed,
    client_seed: placed.clientSeed,
    nonce: placed.nonce,
    bet_position: bet.position,
    settled_position: end?.position ?? null,
    recomputed: await recompute(placed, settled, { serverSeed, vault, games }),
  };
}

function statusOf(settled: Settled) {
  if (!settled) return 'open';
  if (settled.type === 'BetVoided') return 'voided';
  return settled.type === 'BetWon' ? 'won' : 'lost';
}

function payoutOf(settled: Settled) {
  if (!settled) return null;
  if (settled.type === 'BetWon') return points(settled.data.payoutMinor);
  return points(settled.type === 'BetVoided' ? settled.data.stakeMinor : 0n);
}

/** Events of a round from the explorer; if it lags, at least the event itself and its command. */
async function readRoundEvents(
  pool: pg.Pool,
  round: string,
  own: RecordedEvent,
): Promise<readonly RecordedEvent[]> {
  const ofRound = { round, types: ['BetPlaced', ...ENDS] as const };
  const { entries } = await readExplorer(pool, { filter: ofRound, limit: ROUND_EVENTS_MAX });
  const positions = new Set([
    own.firstPosition,
    own.position,
    ...entries.map((one) => one.position),
  ]);
  const read = await Promise.all([...positions].map((position) => readEvent(pool, position)));
  return read
    .filter((event) => event !== null)
    .filter((event) => roundOf(event) === round)
    .toSorted((a, b) => a.position - b.position);
}

/** Recomputes a round if its seed may be used now; for a voided round, what it would have paid. */
async function recompute(
  placed: Placed,
  settled: Settled,
  options: {
    readonly serverSeed: string | null;
    readonly vault: SeedVault | null;
    readonly games: readonly Game[];
  },
) {
  const nothing = { by: 'nothing', payout: null, outcome: null } as const;
  const unknown = <Result extends string>(result: Result) => ({ result, ...nothing, faults: [] });
  if (!settled) return unknown('open');
  const isVoided = settled.type === 'BetVoided';
  const opened = options.serverSeed ?? (await open(options.vault, placed.serverSeedHash));
  if (opened === null) return unknown(isVoided ? 'voided' : 'awaiting reveal');
  const find = (id: string) => findGame(id, options.games);
  const check = isVoided
    ? drawBet(placed, opened, find)
    : checkRound({ ...placed, ...endOf(settled) }, opened, find);
  const faults: string[] = check.ok ? [] : [check.fault];
  const ticks = check.drawn && find(placed.game)?.timed?.ticksOf(check.drawn.outcome);
  if (placed.timed && ticks !== placed.timed.ticks) faults.push('ticks-differ');
  const right = isVoided ? ('voided' as const) : ('holds' as const);
  return {
    result: faults.length > 0 ? ('differs' as const) : right,
    by: options.serverSeed === null ? ('sealed seed' as const) : ('revealed seed' as const),
    payout: check.drawn ? points(check.drawn.payoutMinor) : null,
    outcome: toPlain(check.drawn?.outcome ?? null),
    faults,
  };
}

function endOf({ type, data }: BetWon | BetLost) {
  return { outcome: data.outcome, payoutMinor: type === 'BetWon' ? data.payoutMinor : 0n };
}

async function open(vault: SeedVault | null, hash: string): Promise<string | null> {
  if (!vault) return null;
  // A missing seed, or one under another key, is an audit finding; here the round is not recomputed.
  return vault.open(hash).catch(() => null);
}

/** Events of a command whose later events are in the file are added to it: room for them is kept. */
const PLAYER_EVENTS_MAX = EVIDENCE_EVENTS_MAX / 2;
/** Events between a proposal and its end that are searched for approvals. */
const PROPOSAL_EVENTS_MAX = 100;

interface Found {
  readonly positions: readonly number[];
  readonly links: Evidence['links'];
  readonly truncated: boolean;
}

/** One signed file on the subject: its events, their proofs and causes, and who decided what and why. */
async function readEvidence(
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

/** The events of the proposal that caused an event, or that it belongs to; its effect, too. */
async function findProposal(pool: pg.Pool, { event, stream, version }: RecordedEvent) {
  const { proposal } = event.data as { readonly proposal?: number | Agreed };
  const isMade = event.type === 'Proposed';
  const number = isMade ? version : typeof proposal === 'object' ? proposal.number : proposal;
  if (number === undefined) return [];
  const events = await readStream(pool, {
    stream: OPERATORS_STREAM,
    fromVersion: number,
    limit: PROPOSAL_EVENTS_MAX,
  });
  return events.flatMap(({ position, version: at, event: { type, data } }) => {
    const isOf = at === number || ('proposal' in data && data.proposal === number);
    const effect =
      isOf && stream === OPERATORS_STREAM && type === 'Executed' ? data.position : null;
    return isOf ? [position, ...(effect ? [effect] : [])] : [];
  });
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

export function eventReads(admin: Admin, { prover, travel }: InspectionCaches) {
  const { pool, vault, games } = admin;
  return {
    event: async ({ params }) => {
      const event = await inspectEvent(pool, travel, Number(params.position));
      if (!event) throw noEvent(params.position);
      return { data: event };
    },
    eventProof: async ({ params }) => {
      const proven = await prover.prove(Number(params.position));
      if (!proven) throw noEvent(params.position);
      return { data: proven.proof };
    },
    evidence: async ({ query, operator }) => {
      const by = { query, operator: actorOf({ operator }) };
      return { data: await readEvidence(admin, prover, by) };
    },
    eventGraph: async ({ params }) => {
      const graph = await readGraph(pool, Number(params.position));
      if (!graph) throw noEvent(params.position);
      return { data: graph };
    },
    eventRound: async ({ params }) => {
      const round = await readReplayedRound(pool, vault, Number(params.position), games);
      if (!round) {
        const what = `the event at position ${params.position} has no round`;
        throw new Refused({ failed: 'not-found', detail: { what } });
      }
      return { data: round };
    },
  } satisfies Partial<AdminHandlers>;
}

function noEvent(position: string): Refused {
  return new Refused({
    failed: 'not-found',
    detail: { what: `the ledger has no event at position ${position}` },
  });
}
