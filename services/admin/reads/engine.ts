import type { Engine } from '@reelbook/contract/admin/engine';
import { resumeFollower } from '@reelbook/event-store/checkpoint';
import { Refused } from '@reelbook/http/refused';
import { type EngineState, readEngine } from '@reelbook/inspection/engine';
import { projections } from '@reelbook/projections/all';
import { readFollower } from '@reelbook/projections/beside';
import { type Admin, type AdminHandlers, actorOf } from '../context.ts';
import { recorded } from '../read-model-acts.ts';

export function engineReads(admin: Admin) {
  const { pool, clock, log, runner } = admin;
  return {
    engine: async () => {
      const nowMs = await clock.nowMs();
      const started = performance.now();
      const state = await readEngine(pool, nowMs);
      const tookMs = Math.round(performance.now() - started);
      return { data: engineAnswer(admin, state, { nowMs, tookMs }) };
    },
    continueFollower: async ({ params, body, operator, correlation }) => {
      const projection = projections.find(({ name }) => name === params.name);
      const live = projection && (await readFollower(pool, projection));
      if (!projection || !live) {
        const what = `there is no read model ${params.name}`;
        throw new Refused({ failed: 'not-found', detail: { what } });
      }
      if (live.status !== 'stopped') {
        const what = `${params.name} has not stopped`;
        throw new Refused({ failed: 'not-found', detail: { what } });
      }
      const { position, error: stopped } = live;
      const { reason } = body;
      const by = actorOf({ operator });
      const acting = { operator, correlation, act: 'continue', projection, reason } as const;
      await runner.run(
        { kind: 'continue', subject: params.name, reason, by },
        recorded(admin, acting, () => resumeFollower(pool, projection)),
      );
      const said = { id: correlation, operator, readModel: params.name, reason, position, stopped };
      log.warn(said, 'an operator lets a read model go on');
      return { data: {} };
    },
  } satisfies Partial<AdminHandlers>;
}

function engineAnswer(
  { bus, settings }: Admin,
  state: EngineState,
  { nowMs, tookMs }: { readonly nowMs: number; readonly tookMs: number },
): Engine {
  const { head, rates, followers, cashier, seals } = state;
  const connected = bus.healthy();
  return {
    time: new Date(nowMs).toISOString(),
    head: {
      ...{ position: head.position, time: head.time, hash: head.hash },
      ...{ age_s: head.ageS, moves: head.moves, accepts: head.accepts },
    },
    rates: {
      events_per_s: rates.eventsPerS,
      bets_per_s: rates.betsPerS,
      window_s: rates.windowS,
    },
    followers: followers.map((one) => ({
      ...{ name: one.name, version: one.version, kind: one.kind, condition: one.condition },
      position: one.position,
      behind_positions: one.behindPositions,
      behind_s: one.behindSeconds,
      stopped: one.error,
      stopped_at: one.status === 'stopped' ? one.position + 1 : null,
      holder: one.holder,
      updated_at: one.updatedAt,
    })),
    cashier: {
      condition: cashier.condition,
      reached_slot: cashier.reachedSlot,
      seen_slot: cashier.seenSlot,
      unrecorded: cashier.unrecorded,
      unrecorded_s: cashier.unrecordedS,
      pending_reports: cashier.pendingReports,
      detail: cashier.detail,
    },
    seals: {
      count: seals.count,
      to: seals.to,
      behind_positions: seals.behindPositions,
      last_at: seals.lastAt,
    },
    parts: [
      { name: 'Postgres', condition: 'fine', detail: `answered all of this in ${tookMs} ms` },
      {
        name: 'NATS',
        condition: connected ? 'fine' : 'stopped',
        detail: connected ? 'connected' : 'not connected: pushes wait, the book does not',
      },
      {
        name: 'chain',
        condition: cashier.condition === 'fine' ? 'fine' : 'unknown',
        detail: chainDetail(settings.localChain, cashier),
      },
    ],
  };
}

function chainDetail(local: boolean, { reachedSlot }: EngineState['cashier']): string {
  const chain = local ? 'local chain' : 'chain';
  return reachedSlot === null
    ? `the ${chain} was not read yet`
    : `the cashier has read the ${chain} up to slot ${reachedSlot}`;
}
