import { migrate } from '@reelbook/event-store/migrate';
import type pg from 'pg';
import { accountSums } from './account-sums/projection.ts';
import { achievements } from './achievements/projection.ts';
import { balances } from './balances/projection.ts';
import { entries } from './entries/projection.ts';
import { gameDays } from './game-days/projection.ts';
import { leaderboards } from './leaderboards/projection.ts';
import { ledgerSeals } from './ledger-seals/projection.ts';
import { notifications } from './notifications/projection.ts';
import { openRounds } from './open-rounds/projection.ts';
import { playerStats } from './player-stats/projection.ts';
import type { Projection } from './projection.ts';
import { recentWins } from './recent-wins/projection.ts';
import { ensureTables } from './run.ts';
import { seeds } from './seeds/projection.ts';
import { withdrawals } from './withdrawals/projection.ts';

/** The registry of all projections. */
export const projections: readonly Projection[] = [
  balances,
  entries,
  playerStats,
  leaderboards,
  recentWins,
  seeds,
  notifications,
  ledgerSeals,
  withdrawals,
  achievements,
  openRounds,
  gameDays,
  accountSums,
];

/** Brings the schema of the facts up to date, and creates missing tables of all projections. @returns the migrations applied now. */
export async function migrateAll(pool: pg.Pool): Promise<readonly string[]> {
  const applied = await migrate(pool);
  await ensureTables(pool, projections);
  return applied;
}
