import { append } from '@reelbook/event-store/append';
import { readHead } from '@reelbook/event-store/read-log';
import { readSolvency } from '@reelbook/payments/solvency';
import { projections } from '@reelbook/projections/all';
import { type Lag, readLag } from '@reelbook/projections/lag';
import { readNewestSeals } from '@reelbook/projections/ledger-seals/read';
import type pg from 'pg';
import { readMoment } from './moment.ts';

/** A follower is late when its oldest event is older, in seconds. */
const LATE_S = 10;
const WINDOW_S = 60;
const SHARE_EVENTS_MAX = 2_000;
/** The cashier renews its lease all the time; one that ran out is nobody's. */
const CASHIER = 'cashier';
const PUBLISHER = 'publisher';
const LOCK_NOT_AVAILABLE = /^(55P03|57014)$/;

export type Condition = 'fine' | 'behind' | 'stopped' | 'unknown';

export interface FollowerState extends Lag {
  readonly kind: 'projection' | 'publisher' | 'other';
  readonly condition: Condition;
}

export interface EngineState {
  readonly head: {
    readonly position: number;
    readonly hash: string;
    readonly time: string | null;
    readonly ageS: number | null;
    /** It moved within the last minute. */
    readonly moves: boolean;
    /** Its row could be locked, as every append has to. */
    readonly accepts: boolean;
  };
  readonly rates: {
    readonly eventsPerS: number;
    readonly betsPerS: number;
    readonly windowS: number;
  };
  readonly followers: readonly FollowerState[];
  readonly cashier: {
    readonly condition: Condition;
    readonly reachedSlot: number | null;
    readonly seenSlot: number | null;
    readonly unrecorded: number;
    readonly unrecordedS: number;
    readonly pendingReports: number;
    readonly detail: string;
  };
  readonly seals: {
    readonly count: number;
    readonly to: number;
    readonly behindPositions: number;
    readonly lastAt: string | null;
  };
}

/** How everything runs, as of now. What the book or its tables do not tell, the caller adds. */
export async function readEngine(pool: pg.Pool, nowMs: number): Promise<EngineState> {
  const head = await readHead(pool);
  const since = await readMoment(pool, new Date(nowMs - WINDOW_S * 1_000).toISOString());
  const [accepts, betShare, followers, cashier, [seal]] = await Promise.all([
    acceptsAppends(pool),
    readBetShare(pool, head.position, since.position),
    readFollowers(pool),
    readCashier(pool),
    readNewestSeals(pool, 1),
  ]);
  const events = head.position - since.position;
  return {
    head: {
      ...head,
      ageS: head.time === null ? null : Math.max(0, (nowMs - Date.parse(head.time)) / 1_000),
      moves: events > 0,
      accepts,
    },
    rates: {
      eventsPerS: events / WINDOW_S,
      betsPerS: (events * betShare) / WINDOW_S,
      windowS: WINDOW_S,
    },
    followers,
    cashier,
    seals: {
      count: seal?.seal ?? 0,
      to: seal?.to ?? 0,
      behindPositions: head.position - (seal?.to ?? 0),
      lastAt: seal?.sealedAt ?? null,
    },
  };
}

/** The read models of this build and the publisher; what an older build left behind is nobody's to be late. */
async function readFollowers(pool: pg.Pool): Promise<readonly FollowerState[]> {
  const own = new Set(projections.map(({ name, version }) => `${name} ${version}`));
  return (await readLag(pool))
    .filter(({ name, version }) => own.has(`${name} ${version}`) || name === PUBLISHER)
    .map((lag) => ({
      ...lag,
      kind: lag.name === PUBLISHER ? ('publisher' as const) : ('projection' as const),
      condition: conditionOf(lag),
    }));
}

function conditionOf({ status, behindSeconds }: Lag): Condition {
  if (status === 'stopped') return 'stopped';
  return behindSeconds > LATE_S ? 'behind' : 'fine';
}

/**
 * Whether an append would get the head: a command whose idempotency key is used already locks it and writes nothing. An empty
 * book has no such key, and nobody who could hold it up.
 */
async function acceptsAppends(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ key: string }>(
    `select replace(key::text, '-', '') as key from idempotency_keys limit 1`,
  );
  const [taken] = rows;
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

/** Which part of the newest events of the window are stakes: counted over a few, whatever the rate. */
async function readBetShare(pool: pg.Pool, head: number, after: number): Promise<number> {
  const { rows } = await pool.query<{ share: number }>({
    name: 'bet-share',
    text: `select coalesce(avg((type = 'BetPlaced')::int), 0)::float8 as share
      from events where position > $1`,
    values: [Math.max(after, head - SHARE_EVENTS_MAX)],
  });
  return rows[0]?.share ?? 0;
}

async function readCashier(pool: pg.Pool): Promise<EngineState['cashier']> {
  const solvency = await readSolvency(pool);
  const { rows } = await pool.query<{
    slot: number | null;
    unrecorded_s: number;
    held: boolean | null;
  }>(
    `select (select max(reached_slot) from treasury_scans) as slot,
      (select coalesce(extract(epoch from now() - min(seen_at)), 0)::float8
        from treasury_movements where not recorded) as unrecorded_s,
      (select lease_until > now() from checkpoints where name = $1
        order by version desc limit 1) as held`,
    [CASHIER],
  );
  const [row] = rows;
  const unrecordedS = Math.max(0, row?.unrecorded_s ?? 0);
  const held = row?.held ?? null;
  const late = unrecordedS > WINDOW_S;
  return {
    condition: held === null ? 'unknown' : held ? (late ? 'behind' : 'fine') : 'stopped',
    reachedSlot: row?.slot ?? null,
    seenSlot: solvency.slot,
    unrecorded: solvency.queues.unrecorded,
    unrecordedS,
    pendingReports: solvency.queues.pendingReports,
    detail:
      held === null
        ? 'no cashier ever ran here'
        : held
          ? 'one cashier acts'
          : 'no cashier holds the lease: nothing is credited or paid',
  };
}
