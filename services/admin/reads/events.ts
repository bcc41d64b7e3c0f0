import {
  CHAIN_EVENTS_MAX,
  type EventDetail,
  type EventGraph,
  type ReplayedRound,
} from '@reelbook/contract/admin/events';
import { readHash } from '@reelbook/event-store/chain';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { Refused } from '@reelbook/http/refused';
import { toPlain } from '@reelbook/inspection/changes';
import { inspectEvent } from '@reelbook/inspection/event';
import { readGraph } from '@reelbook/inspection/graph';
import { inspectRound, roundOf } from '@reelbook/inspection/round';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import { postings } from '@reelbook/ledger/postings';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import { readPlayersNamed } from '@reelbook/projections/entries/players';
import type { Admin, AdminHandlers } from '../context.ts';
import type { Inspecting } from './inspecting.ts';
import { amount, amountsTo, factsAnswer, playerOr, points } from './say.ts';

const CHAIN_BY_DEFAULT = 500;

export function eventReads(admin: Admin, { prover, travel }: Inspecting) {
  const { pool, vault, games } = admin;
  return {
    event: async ({ params }) => ({ data: await readDetail(admin, { travel }, params.position) }),
    eventProof: async ({ params }) => {
      const proven = await prover.prove(Number(params.position));
      if (!proven) throw noEvent(params.position);
      return { data: proven.proof };
    },
    eventGraph: async ({ params }) => {
      const graph = await readGraph(pool, Number(params.position));
      if (!graph) throw noEvent(params.position);
      return { data: graphAnswer(graph) };
    },
    eventRound: async ({ params }) => {
      const round = await inspectRound(pool, vault, Number(params.position), games);
      if (!round) {
        const what = `the event at #${params.position} is of no round`;
        throw new Refused({ failed: 'not-found', detail: { what } });
      }
      return { data: roundAnswer(round) };
    },
    chain: async ({ query }) => {
      const limit = Math.min(query.limit ?? CHAIN_BY_DEFAULT, CHAIN_EVENTS_MAX);
      const [previous, events, head] = await Promise.all([
        readHash(pool, query.from - 1),
        readLog(pool, { from: query.from, limit }),
        readHead(pool),
      ]);
      if (previous === null) throw noEvent(String(query.from - 1));
      return {
        data: {
          previous_hash: previous,
          events: events.map(({ position, body, hash }) => ({ position, body, hash })),
          head: { position: head.position, hash: head.hash },
        },
      };
    },
  } satisfies Partial<AdminHandlers>;
}

function noEvent(position: string): Refused {
  return new Refused({
    failed: 'not-found',
    detail: { what: `the book has no event at position ${position}` },
  });
}

async function readDetail(
  { pool }: Admin,
  { travel }: Pick<Inspecting, 'travel'>,
  position: string,
): Promise<EventDetail> {
  const found = await inspectEvent(pool, travel, Number(position));
  if (!found) throw noEvent(position);
  const { read, kind, owner } = found;
  const known = await readPlayersNamed(pool, kind === 'player' ? [owner] : []);
  const event = read && ({ type: read.type, data: read.data } as AnyEvent);
  return {
    position: found.position,
    first_position: found.firstPosition,
    stream: read?.stream ?? '',
    kind: kind ?? '',
    player: kind === 'player' ? playerOr(owner, known) : null,
    version: read?.version ?? 0,
    type: read?.type ?? '',
    time: read?.time ?? '',
    actor: read?.meta?.actor ?? '',
    correlation: read?.meta?.correlation ?? '',
    command: read?.meta?.command ?? '',
    body: found.body,
    hash: found.hash,
    previous_hash: found.previousHash,
    postings: found.postings.map(({ account, asset, deltaMinor }) => ({
      account,
      amount: amount(asset, deltaMinor),
    })),
    sums: [...found.sums].map(([asset, minor]) => amount(asset, minor)),
    state: found.state && {
      before: found.state.before,
      after: found.state.after,
      changes: found.state.changes.map((change) => ({ ...change, path: [...change.path] })),
    },
    state_missing: found.stateMissing,
    round: event && roundOf({ event }),
    seal: found.seal,
    faults: [...found.faults],
    previous: found.previous,
    next: found.next,
    head: found.head,
  };
}

function graphAnswer(graph: NonNullable<Awaited<ReturnType<typeof readGraph>>>): EventGraph {
  return {
    nodes: graph.events.map(nodeOf),
    edges: graph.edges.map((edge) => ({ ...edge })),
    truncated: graph.truncated,
  };
}

function nodeOf({ position, event, time, stream, meta }: RecordedEvent) {
  const { id } = parseStream(stream);
  const { facts, text } = sentenceOf(event);
  return {
    position,
    type: event.type,
    time,
    stream,
    actor: meta.actor,
    facts: factsAnswer(facts),
    label: text,
    amounts: amountsTo(`player:${id}`, postings(event, id)),
    signature: 'signature' in event.data ? event.data.signature : null,
  };
}

function roundAnswer(round: NonNullable<Awaited<ReturnType<typeof inspectRound>>>): ReplayedRound {
  const { placed, settled, recomputed } = round;
  return {
    round: placed.round,
    game: placed.game,
    rules: placed.rules,
    status: statusOf(settled),
    lines: placed.lines,
    ...(placed.choice && { choice: placed.choice }),
    stake: points(placed.stakeMinor),
    payout: payoutOf(settled),
    outcome: settled && settled.type !== 'BetVoided' ? settled.data.outcome : null,
    timed: placed.timed ? { ticks: placed.timed.ticks, tick_ms: placed.timed.tickMs } : null,
    server_seed_hash: placed.serverSeedHash,
    server_seed: round.serverSeed,
    client_seed: placed.clientSeed,
    nonce: placed.nonce,
    bet_position: round.betPosition,
    settled_position: round.settledPosition,
    void_proposed: round.voidProposed && {
      by: round.voidProposed.by,
      reason: round.voidProposed.reason,
    },
    recomputed: {
      result: recomputed.result,
      by: recomputed.by,
      payout: recomputed.payoutMinor === null ? null : points(recomputed.payoutMinor),
      outcome: toPlain(recomputed.outcome),
      faults: [...recomputed.faults],
    },
  };
}

type Settled = NonNullable<Awaited<ReturnType<typeof inspectRound>>>['settled'];

function statusOf(settled: Settled): ReplayedRound['status'] {
  if (!settled) return 'open';
  if (settled.type === 'BetVoided') return 'voided';
  return settled.type === 'BetWon' ? 'won' : 'lost';
}

function payoutOf(settled: Settled) {
  if (!settled) return null;
  if (settled.type === 'BetWon') return points(settled.data.payoutMinor);
  return points(settled.type === 'BetVoided' ? settled.data.stakeMinor : 0n);
}
