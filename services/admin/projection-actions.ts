import { randomUUID } from 'node:crypto';
import { append } from '@reelbook/event-store/append';
import { resumeFollower } from '@reelbook/event-store/checkpoint';
import { rowOf, tables } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { Refused } from '@reelbook/http/routes';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type {
  ReadModelCommand,
  ReadModelOperation,
} from '@reelbook/ledger/operators/projection-actions';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { projections } from '@reelbook/projections/all';
import { type Lag, readLag } from '@reelbook/projections/lag';
import { readNewestAnchor, readNewestSeals } from '@reelbook/projections/ledger-seals/projection';
import { type Projection, readFollower } from '@reelbook/projections/projection';
import { recordActions } from '@reelbook/projections/recorded-action';
import type { Check } from '@reelbook/runtime/health';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Admin, type AdminHandlers, actorOf, type Caller } from './context.ts';
import { Cancelled, type Work } from './jobs/job-runner.ts';

/** Actor of the events that end an operation. */
const CONSOLE = 'system:console';

interface Acting extends Pick<Caller, 'operator' | 'correlation'> {
  readonly act: ReadModelOperation;
  readonly projection: Projection;
  readonly reason: string;
}

/** Wraps the work of a job, so that the ledger records it as the operator's action. */
function recorded(admin: Admin, acting: Acting, work: Work): Work {
  const { act, projection, reason } = acting;
  const append = (command: ReadModelCommand) => {
    const actor = command.type === 'FinishReadModelOperation' ? CONSOLE : actorOf(acting);
    return write(admin, command, { actor, correlation: acting.correlation });
  };
  return (run) => {
    const wasCancelled = (error: unknown) => run.signal.aborted || error instanceof Cancelled;
    const projections = [projection];
    const acts = { pool: admin.pool, projections, act, job: run.job, reason, append, wasCancelled };
    return recordActions(acts, () => work(run));
  };
}

async function write(
  { executor }: Admin,
  command: ReadModelCommand,
  meta: { readonly actor: string; readonly correlation: string },
): Promise<void> {
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    // A random key: the job itself is unique, and its number may be used again after a restore.
    idempotencyKey: `command:${meta.actor}:${randomUUID()}`,
    request: null,
    meta,
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'refused') throw new Refused(executed.rejection);
}

/** A follower is late if the oldest event that it has not applied is older, in seconds. */
const LATE_S = 10;
/** The cashier is late if a transfer on the chain is not recorded for longer, in seconds. */
const UNRECORDED_S = 60;
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

/** The faults of every component; metrics have the rest. */
async function readEngine({ pool, standby, clock, bus }: Admin) {
  const nowMs = await clock.nowMs();
  const head = await readHead(pool);
  const [accepts, followers, cashier, [seal], anchor, copy] = await Promise.all([
    acceptsAppends(pool),
    readFollowers(pool),
    readCashier(pool),
    readNewestSeals(pool, 1),
    readNewestAnchor(pool),
    standby?.examine() ?? null,
  ]);
  const age = head.time === null ? null : Math.max(0, (nowMs - Date.parse(head.time)) / 1_000);
  return {
    time: new Date(nowMs).toISOString(),
    head: { position: head.position, time: head.time, age_s: age, accepts },
    followers,
    cashier,
    bus: bus.healthy(),
    standby: copy,
    seals: {
      to: seal?.to ?? 0,
      last_at: seal?.sealedAt ?? null,
      anchored_to: anchor?.seal ?? null,
      anchored_at: anchor?.anchoredAt ?? null,
    },
  };
}

/** The projections of this build and the publisher, without followers of older builds. */
async function readFollowers(pool: pg.Pool) {
  const own = new Set(projections.map(({ name, version }) => `${name} ${version}`));
  return (await readLag(pool))
    .filter(({ name, version }) => own.has(`${name} ${version}`) || name === PUBLISHER)
    .map((lag) => ({
      name: lag.name,
      position: lag.position,
      condition: conditionOf(lag),
      behind_positions: lag.behindPositions,
      behind_s: lag.behindSeconds,
      stopped: lag.error,
      stopped_at: lag.status === 'stopped' ? lag.position + 1 : null,
    }));
}

/** Up to which event the projections are that are not late. */
export async function readFollowed(pool: pg.Pool): Promise<number> {
  const followers = await readFollowers(pool);
  const fine = followers.filter((one) => one.condition === 'fine' && one.name !== PUBLISHER);
  return Math.min(...fine.map(({ position }) => position));
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
    check: async () => CASHIER_REASONS[await readCashier(pool)],
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

async function readCashier(pool: pg.Pool) {
  const row = await rowOf(pool, CASHIER_STATE);
  if (!row || row.held === null) return 'unknown';
  if (!row.held) return 'stopped';
  return (row.unrecorded_s ?? 0) > UNRECORDED_S ? 'behind' : 'fine';
}

const CASHIER_STATE = tables.selectNoFrom((eb) => [
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
