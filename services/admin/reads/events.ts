import type { EventDetail } from '@reelbook/contract/admin/events';
import type { AdminData } from '@reelbook/contract/admin/routes';
import { Refused } from '@reelbook/http/refused';
import { inspectEvent } from '@reelbook/inspection/event';
import type { AnyEvent } from '@reelbook/ledger/events';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { readPlayersNamed } from '@reelbook/projections/entries/read';
import { type Admin, type AdminHandlers, actorOf } from '../context.ts';
import { amount, playerOr, sentenceAnswer } from './convert.ts';
import { readGraph } from './event-graph.ts';
import { readReplayedRound, roundOf } from './event-round.ts';
import { readEvidence } from './evidence.ts';
import type { InspectionCaches } from './inspection-caches.ts';

export function eventReads(admin: Admin, { prover, travel }: InspectionCaches) {
  const { pool, vault, games } = admin;
  return {
    event: async ({ params }) => ({ data: await readDetail(admin, { travel }, params.position) }),
    eventProof: async ({ params }) => {
      const proven = await prover.prove(Number(params.position));
      if (!proven) throw noEvent(params.position);
      return { data: proven.proof };
    },
    evidence: async ({ query, operator }) => {
      const by = { query, operator: actorOf({ operator }) };
      return { data: (await readEvidence(admin, prover, by)) as AdminData<'evidence'> };
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

async function readDetail(
  { pool }: Admin,
  { travel }: Pick<InspectionCaches, 'travel'>,
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
    body: found.body,
    hash: found.hash,
    previous_hash: found.previousHash,
    postings: found.postings.map(({ account, asset, deltaMinor }) => ({
      account,
      amount: amount(asset, deltaMinor),
    })),
    sums: [...found.sums].map(([asset, minor]) => amount(asset, minor)),
    ...(event ? sentenceAnswer(sentenceOf(event)) : { facts: {}, what: '' }),
    state: found.state,
    state_missing: found.stateMissing,
    round: event && roundOf({ event }),
    seal: found.seal,
    faults: found.faults,
    previous: found.previous,
    next: found.next,
    head: found.head,
  };
}
