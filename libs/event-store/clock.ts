import type pg from 'pg';

/** A reading this old is taken anew: clocks of two machines do not part by much in a second. */
const READING_TTL_MS = 1_000;

/** The time of the ledger, ms since 1970. */
export interface Clock {
  /** The time that the next event gets: that of Postgres' clock, and not before the last event's. */
  nowMs(): Promise<number>;
  /**
   * The time that the clocks of this process and of Postgres have both reached, whatever the time of the last event.
   * Limits and exclusions are decided by it, so that none ends because one clock is ahead.
   */
  agreedMs(): Promise<number>;
}

/**
 * Reads the clock of Postgres as the append seals it into events, never ahead of it: the time read plus what has passed
 * here since the answer came.
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

/** An append is refused where the clocks of its process and of Postgres differ by more: as in migrations/0003_append.sql. */
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
  /** This process' clock less Postgres'. */
  readonly skewMs: number;
  /** The time of the last event less the later of both clocks; 0 where that is after it. */
  readonly ledgerAheadMs: number;
}

export async function readClocks(pool: pg.Pool): Promise<ClockReading> {
  const before = Date.now();
  const { clockMs, ledgerMs } = await readTimes(pool);
  const processMs = (before + Date.now()) / 2;
  const ledgerAheadMs = Math.max(0, ledgerMs - Math.max(clockMs, processMs));
  return { skewMs: processMs - clockMs, ledgerAheadMs };
}

/** For readiness. A ledger that is ahead is a warning: it takes appends. */
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
    spare: true,
    async check() {
      const { ledgerAheadMs } = await readClocks(pool);
      return ledgerAheadMs > CLOCK_SKEW_MAX_MS
        ? `the last event is ${secondsOf(ledgerAheadMs)} s ahead of the clocks`
        : null;
    },
  },
];

/** What an append shows of the clocks: refused for their difference, or appended at a time ahead of them. */
export type ClockFault = { readonly skewMs: number } | { readonly ledgerAheadMs: number };

const LOGGED_EVERY_MS = 60_000;

/** Logs what appends show of the clocks, each fault once a minute at most. */
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
    else log.warn(fault, 'the ledger is ahead of the clocks: its time is constant until then');
  };
}
