import { MINUTE_MS } from '@reelbook/ledger/calendar';
import type { Config } from '@reelbook/ledger/config/config';
import { needsTime, type PlayTerms } from '@reelbook/ledger/player/protection';
import type { Protected } from '@reelbook/ledger/player/protection-state';
import type pg from 'pg';
import type { Gateway } from './context.ts';

/** A reading this old is taken anew: clocks of two machines do not part by much in a second. */
const READING_TTL_MS = 1_000;

/** The time of the book, ms since 1970. */
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
      name: 'book-time',
      text: `select floor(extract(epoch from greatest(clock_timestamp(), recorded_at)) * 1000)::float8 as ms
        from head`,
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

/** What a stake is decided by beside the state. The time is looked up only for players for whom it counts. */
export async function playTermsOf(
  { clock }: Pick<Gateway, 'clock'>,
  config: Config,
  state: Protected,
): Promise<PlayTerms> {
  const realityCheckMs = realityCheckOf(config);
  const nowMs = needsTime(state, realityCheckMs) ? await clock.nowMs() : null;
  return { nowMs, realityCheckMs };
}

/** The operator's interval of reality checks in ms; null for none. */
export function realityCheckOf({ protection }: Config): number | null {
  const { realityCheckMinutes: minutes } = protection;
  return minutes === null ? null : minutes * MINUTE_MS;
}
