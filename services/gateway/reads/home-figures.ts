import type { HomeFigureName, HomeFigures } from '@reelbook/contract/player/configuration';
import { readHead } from '@reelbook/event-store/read-log';
import { toNumber } from '@reelbook/ledger/money';
import { readAllStats } from '@reelbook/projections/player-stats/projection';
import type pg from 'pg';
import type { GatewaySettings } from '../context.ts';

/** Counting reads the row of every player, so the result is cached this long. */
const COUNTED_FOR_MS = 30_000;
const SET_NAMES = ['players', 'distributed', 'availability', 'uptime'] as const;
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** The figures of the home page: configured texts, or counted in the ledger at most every COUNTED_FOR_MS. */
export function openHomeFigures(
  pool: pg.Pool,
  set: GatewaySettings['homeFigures'] = 'live',
): () => Promise<HomeFigures> {
  if (set !== 'live') {
    const figures = SET_NAMES.map((name, index) => ({ name, text: set[index] ?? '' }));
    return async () => ({ live: false, figures });
  }
  let counting: Promise<HomeFigures> | null = null;
  let countedAtMs = 0;
  return () => {
    if (counting && Date.now() - countedAtMs < COUNTED_FOR_MS) return counting;
    countedAtMs = Date.now();
    counting = count(pool);
    counting.catch(() => {
      counting = null;
    });
    return counting;
  };
}

async function count(pool: pg.Pool): Promise<HomeFigures> {
  const [{ players, games, wonMinor }, { position }] = await Promise.all([
    readAllStats(pool),
    readHead(pool),
  ]);
  const counted: readonly (readonly [HomeFigureName, number])[] = [
    ['players', players],
    ['distributed', toNumber('points', wonMinor)],
    ['rounds', games],
    ['events', position],
  ];
  return { live: true, figures: counted.map(([name, n]) => ({ name, text: COMPACT.format(n) })) };
}
