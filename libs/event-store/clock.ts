import type pg from 'pg';

/** A reading older than this is read again: the clocks of two machines drift little in a second. */
const READING_TTL_MS = 1_000;

/** The time of the ledger, ms since 1970. */
export interface Clock {
  /** The time of the next event: Postgres' clock, and never before the last event. */
  nowMs(): Promise<number>;
  /**
   * The earlier of the clocks of this process and of Postgres, independent of the last event. Limits and exclusions use
   * it, so that none ends because one clock is ahead.
   */
  agreedMs(): Promise<number>;
}

/**
 * Reads the clock of Postgres, which stamps the events, and is never ahead of it: the time read plus what has passed here
 * since the response came.
 */
export function openClock(pool: pg.Pool): Clock {
  let reading: ReturnType<typeof read> | null = null;
  let readAtMs = 0;
  const read = async () => {
    const times = await readTimes(pool);
    return { ...times, atMs: performance.now() };
  };
  /** The last reading, and the time since then. */
  const elapse = async () => {
    if (!reading || performance.now() - readAtMs > READING_TTL_MS) {
      readAtMs = performance.now();
      const mine = read();
      reading = mine;
      mine.catch(() => {
        if (reading === mine) reading = null;
      });
    }
    const last = await reading;
    return { ...last, elapsedMs: Math.max(0, performance.now() - last.atMs) };
  };
  return {
    async nowMs() {
      const { clockMs, ledgerMs, elapsedMs } = await elapse();
      return Math.floor(Math.max(clockMs, ledgerMs) + elapsedMs);
    },
    async agreedMs() {
      const { clockMs, elapsedMs } = await elapse();
      return Math.min(Math.floor(clockMs + elapsedMs), Date.now());
    },
  };
}

/** Postgres' clock, and the time of the last event. */
async function readTimes(pool: pg.Pool): Promise<{ clockMs: number; ledgerMs: number }> {
  const { rows } = await pool.query<{ clock_ms: number; ledger_ms: number }>({
    name: 'ledger-time',
    text: `select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms,
        floor(extract(epoch from recorded_at) * 1000)::float8 as ledger_ms
      from ledger_head`,
  });
  const [row] = rows;
  if (!row) throw new Error('Postgres returned no time');
  return { clockMs: row.clock_ms, ledgerMs: row.ledger_ms };
}

/** Maximum difference between the clocks of process and Postgres for an append: clock_skew_max of migrations/0003_append.sql. */
export const CLOCK_SKEW_MAX_MS = 30_000;

/** The clock of this process differs from Postgres' by more than an append allows. Nothing was appended. */
export class ClockSkew extends Error {
  override name = 'ClockSkew';

  constructor(skewMs: number) {
    super(skewText(skewMs));
  }
}

const secondsOf = (ms: number) => Math.round(Math.abs(ms) / 1_000);
const skewText = (skewMs: number) =>
  `the clock of this process is ${secondsOf(skewMs)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of Postgres`;

interface ClockReading {
  /** Clock of this process minus clock of Postgres. */
  readonly skewMs: number;
  /** Time of the last event minus the later of both clocks; at least 0. */
  readonly ledgerAheadMs: number;
}

export async function readClocks(pool: pg.Pool): Promise<ClockReading> {
  const before = Date.now();
  const { clockMs, ledgerMs } = await readTimes(pool);
  const processMs = (before + Date.now()) / 2;
  const ledgerAheadMs = Math.max(0, ledgerMs - Math.max(clockMs, processMs));
  return { skewMs: processMs - clockMs, ledgerAheadMs };
}

/** Throws `ClockSkew` if an append would be refused. */
export async function checkClocks(pool: pg.Pool): Promise<void> {
  const { skewMs } = await readClocks(pool);
  if (Math.abs(skewMs) > CLOCK_SKEW_MAX_MS) throw new ClockSkew(skewMs);
}

/** Readiness checks. A ledger ahead of the clocks is only a warning: it accepts appends. */
export const clockChecks = (pool: pg.Pool) => [
  {
    name: 'clocks',
    async check() {
      const { skewMs } = await readClocks(pool);
      return Math.abs(skewMs) > CLOCK_SKEW_MAX_MS ? skewText(skewMs) : null;
    },
  },
  {
    name: 'ledger-time',
    optional: true,
    async check() {
      const { ledgerAheadMs } = await readClocks(pool);
      return ledgerAheadMs > CLOCK_SKEW_MAX_MS
        ? `the last event is ${secondsOf(ledgerAheadMs)} s ahead of the clocks`
        : null;
    },
  },
];

/** An append was refused because the clocks differ, or recorded at a time ahead of both. */
export type ClockFault = { readonly skewMs: number } | { readonly ledgerAheadMs: number };

const LOGGED_EVERY_MS = 60_000;

/** Logs clock faults of appends, each kind at most once a minute. */
export function logClockFaults(log: {
  error(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}): (fault: ClockFault) => void {
  const loggedMs = { error: -Infinity, warn: -Infinity };
  return (fault) => {
    const level = 'skewMs' in fault ? 'error' : 'warn';
    if (performance.now() - loggedMs[level] < LOGGED_EVERY_MS) return;
    loggedMs[level] = performance.now();
    if ('skewMs' in fault) log.error(fault, `appends are refused: ${skewText(fault.skewMs)}`);
    else
      log.warn(
        fault,
        'the ledger is ahead of the clocks: its time is constant until they reach it',
      );
  };
}
