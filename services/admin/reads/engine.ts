import type { Engine } from '@reelbook/contract/admin/engine';
import { append } from '@reelbook/event-store/append';
import { resumeFollower } from '@reelbook/event-store/checkpoint';
import { rowOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { Refused } from '@reelbook/http/refused';
import { readPointInTime } from '@reelbook/inspection/point-in-time';
import { readSolvency } from '@reelbook/payments/solvency';
import { projections } from '@reelbook/projections/all';
import { type Lag, readLag } from '@reelbook/projections/lag';
import { readNewestAnchor, readNewestSeals } from '@reelbook/projections/ledger-seals/projection';
import { readFollower } from '@reelbook/projections/projection';
import type { Check } from '@reelbook/runtime/health';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Admin, type AdminHandlers, actorOf } from '../context.ts';
import { recorded } from '../projection-actions.ts';

/** A follower is late if the oldest event that it has not applied is older, in seconds. */
const LATE_S = 10;
const WINDOW_S = 60;
const SHARE_EVENTS_MAX = 2_000;
const CASHIER = 'cashier';
const PUBLISHER = 'publisher';
const LOCK_NOT_AVAILABLE = /^(55P03|57014)$/;

export function engineReads(admin: Admin) {
  const { pool, log, runner } = admin;
  return {
    engine: async () => ({ data: await readEngine(admin) }),
    continueFollower: async ({ params, body, operator, correlation }) => {
      const projection = projections.find(({ name }) => name === params.name);
      const live = projection && (await readFollower(pool, projection));
      if (!projection || !live) {
        const what = `there is no projection ${params.name}`;
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
      const entry = {
        id: correlation,
        operator,
        readModel: params.name,
        reason,
        position,
        stopped,
      };
      log.warn(entry, 'operator resumed a projection');
      return { data: {} };
    },
  } satisfies Partial<AdminHandlers>;
}

/** The current status of every component. */
async function readEngine({ pool, clock, bus }: Admin): Promise<Engine> {
  const nowMs = await clock.nowMs();
  const started = performance.now();
  const head = await readHead(pool);
  const since = await readPointInTime(pool, new Date(nowMs - WINDOW_S * 1_000).toISOString());
  const [accepts, betShare, followers, cashier, [seal], anchor] = await Promise.all([
    acceptsAppends(pool),
    readBetShare(pool, head.position, since.position),
    readFollowers(pool),
    readCashier(pool),
    readNewestSeals(pool, 1),
    readNewestAnchor(pool),
  ]);
  const tookMs = Math.round(performance.now() - started);
  const events = head.position - since.position;
  const age = head.time === null ? null : Math.max(0, (nowMs - Date.parse(head.time)) / 1_000);
  return {
    time: new Date(nowMs).toISOString(),
    head: { ...head, age_s: age, moves: events > 0, accepts },
    rates: {
      events_per_s: events / WINDOW_S,
      bets_per_s: (events * betShare) / WINDOW_S,
      window_s: WINDOW_S,
    },
    followers,
    cashier,
    seals: {
      count: seal?.seal ?? 0,
      to: seal?.to ?? 0,
      behind_positions: head.position - (seal?.to ?? 0),
      last_at: seal?.sealedAt ?? null,
      anchored_to: anchor?.seal ?? null,
      anchored_at: anchor?.anchoredAt ?? null,
    },
    parts: [
      { name: 'postgres', condition: 'fine' },
      { name: 'nats', condition: bus.healthy() ? 'fine' : 'stopped' },
      { name: 'chain', condition: cashier.condition === 'fine' ? 'fine' : 'unknown' },
    ],
    response_ms: tookMs,
  };
}

/** The projections of this build and the publisher, without followers of older builds. */
async function readFollowers(pool: pg.Pool): Promise<Engine['followers']> {
  const own = new Set(projections.map(({ name, version }) => `${name} ${version}`));
  return (await readLag(pool))
    .filter(({ name, version }) => own.has(`${name} ${version}`) || name === PUBLISHER)
    .map((lag) => ({
      ...{ name: lag.name, version: lag.version, position: lag.position, holder: lag.holder },
      kind: lag.name === PUBLISHER ? 'publisher' : 'projection',
      condition: conditionOf(lag),
      behind_positions: lag.behindPositions,
      behind_s: lag.behindSeconds,
      stopped: lag.error,
      stopped_at: lag.status === 'stopped' ? lag.position + 1 : null,
      updated_at: lag.updatedAt,
    }));
}

const CASHIER_REASONS = {
  fine: null,
  behind: 'transfers are not recorded yet',
  stopped: 'no cashier holds the lease: deposits are not credited, withdrawals are not paid',
  unknown: 'no cashier has run yet',
} as const;

/**
 * Of the console's readiness, all optional: the console works without what they report. Without the reasons, because
 * readiness needs no login.
 */
export const siteChecks = (pool: pg.Pool): readonly Check[] => [
  {
    name: 'followers',
    optional: true,
    async check() {
      const late = (await readFollowers(pool)).filter(({ condition }) => condition !== 'fine');
      const texts = late.map(({ name, condition, behind_positions }) =>
        condition === 'stopped' ? `${name} is stopped` : `${name} lags ${behind_positions} events`,
      );
      return texts.join('; ') || null;
    },
  },
  {
    name: 'cashier',
    optional: true,
    async check() {
      const row = await rowOf(pool, CASHIER_STATE);
      const late = (row?.unrecorded_s ?? 0) > WINDOW_S;
      return CASHIER_REASONS[cashierCondition(row?.held ?? null, late)];
    },
  },
];

function conditionOf({ status, behindSeconds }: Lag) {
  if (status === 'stopped') return 'stopped';
  return behindSeconds > LATE_S ? 'behind' : 'fine';
}

/**
 * Whether an append can lock the head: an append with a used idempotency key locks it and writes nothing. An empty ledger
 * has no such key, and nothing that could block it.
 */
async function acceptsAppends(pool: pg.Pool): Promise<boolean> {
  const used = tables
    .selectFrom('idempotency_keys')
    .select(sql<string>`replace(key::text, '-', '')`.as('key'))
    .limit(1);
  const taken = await rowOf(pool, used);
  if (!taken) return true;
  try {
    await append(pool, [
      {
        idempotencyKey: taken.key,
        requestHash: '00'.repeat(32),
        stream: 'config',
        expectedVersion: 0,
        configVersion: null,
        marginDeltaMinor: 0n,
        mustCover: false,
        state: '{}',
        stateSchema: 1,
        events: [{ type: 'Probe', tail: '"data":{}}' }],
      },
    ]);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (LOCK_NOT_AVAILABLE.test(code)) return false;
    throw error;
  }
}

/** Share of stakes among the newest events of the window, from at most SHARE_EVENTS_MAX events. */
async function readBetShare(pool: pg.Pool, head: number, after: number): Promise<number> {
  const stakes = tables
    .selectFrom('events')
    .select(sql<number>`coalesce(avg((type = 'BetPlaced')::int), 0)::float8`.as('share'))
    .where('position', '>', Math.max(after, head - SHARE_EVENTS_MAX));
  return (await rowOf(pool, stakes, 'bet-share'))?.share ?? 0;
}

async function readCashier(pool: pg.Pool): Promise<Engine['cashier']> {
  const { slot: seenSlot, queues } = await readSolvency(pool);
  const row = await rowOf(pool, CASHIER_STATE);
  const unrecordedS = Math.max(0, row?.unrecorded_s ?? 0);
  return {
    condition: cashierCondition(row?.held ?? null, unrecordedS > WINDOW_S),
    reached_slot: row?.reached_slot ?? null,
    seen_slot: seenSlot,
    unrecorded: queues.unrecorded,
    unrecorded_s: unrecordedS,
    pending_reports: queues.pendingReports,
  };
}

const CASHIER_STATE = tables.selectNoFrom((eb) => [
  eb
    .selectFrom('treasury_scans')
    .select(({ fn }) => fn.max('reached_slot').as('slot'))
    .as('reached_slot'),
  eb
    .selectFrom('treasury_movements')
    .select(
      sql<number>`coalesce(extract(epoch from now() - min(seen_at)), 0)::float8`.as('seconds'),
    )
    .where(sql<boolean>`not recorded and kind <> 'dust'`)
    .as('unrecorded_s'),
  eb
    .selectFrom('checkpoints')
    .select(sql<boolean | null>`lease_until > now()`.as('held'))
    .where('name', '=', CASHIER)
    .orderBy('version', 'desc')
    .limit(1)
    .as('held'),
]);

function cashierCondition(held: boolean | null, late: boolean) {
  if (held === null) return 'unknown';
  if (!held) return 'stopped';
  return late ? 'behind' : 'fine';
}
