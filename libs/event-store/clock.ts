import type pg from 'pg';

/** A reading this old is taken anew: clocks of two machines do not part by much in a second. */
const READING_TTL_MS = 1_000;

/** The time of the ledger, ms since 1970. */
export interface Clock {
  nowMs(): Promise<number>;
}

/**
 * Tells the time by the clock of Postgres as the append seals it into events, and never ahead of it: the
 * time read plus what has passed here since the answer came. So limits and exclusions end at the same moment on every
 * gateway, and a machine whose clock is wrong ends none early.
 */
export function openClock(pool: pg.Pool): Clock {
  let reading: Promise<{ readonly timeMs: number; readonly atMs: number }> | null = null;
  let readAtMs = 0;
  const read = async () => {
    const { rows } = await pool.query<{ ms: number }>({
      name: 'ledger-time',
      text: `select floor(extract(epoch from greatest(clock_timestamp(), recorded_at)) * 1000)::float8 as ms
        from ledger_head`,
    });
    const [row] = rows;
    if (!row) throw new Error('Postgres did not tell the time');
    return { timeMs: row.ms, atMs: performance.now() };
  };
  return {
    async nowMs() {
      if (!reading || performance.now() - readAtMs > READING_TTL_MS) {
        readAtMs = performance.now();
        const mine = read();
        reading = mine;
        mine.catch(() => {
          if (reading === mine) reading = null;
        });
      }
      const { timeMs, atMs } = await reading;
      return Math.floor(timeMs + Math.max(0, performance.now() - atMs));
    },
  };
}
