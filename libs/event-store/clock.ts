import type pg from 'pg';

/** A reading older than this is read again: the clocks of two machines drift little in a second. */
const READING_TTL_MS = 1_000;

/** The time of the ledger, ms since 1970. */
export interface Clock {
  nowMs(): Promise<number>;
}

/**
 * Returns the time of Postgres, whose clock stamps the events, and never ahead of it: the time read plus what has passed
 * here since the response came. So limits and exclusions end at the same time on every gateway, and a machine with a
 * wrong clock ends none early.
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
    if (!row) throw new Error('Postgres returned no time');
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
