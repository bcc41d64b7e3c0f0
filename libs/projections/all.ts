import { achievements } from './achievements/projection.ts';
import { balances } from './balances/projection.ts';
import { explorer } from './explorer/projection.ts';
import { gameDays } from './game-days/projection.ts';
import { leaderboards } from './leaderboards/projection.ts';
import { ledgerSeals } from './ledger-seals/projection.ts';
import { notifications } from './notifications/projection.ts';
import { openRounds } from './open-rounds/projection.ts';
import { playerStats } from './player-stats/projection.ts';
import { postings } from './postings/projection.ts';
import type { Projection } from './projection.ts';
import { recentWins } from './recent-wins/projection.ts';
import { rounds } from './rounds/projection.ts';
import { seeds } from './seeds/projection.ts';
import { transactions } from './transactions/projection.ts';
import { trialBalance } from './trial-balance/projection.ts';
import { withdrawals } from './withdrawals/projection.ts';

/** The registry: every read model there is. */
export const projections: readonly Projection[] = [
  balances,
  transactions,
  rounds,
  playerStats,
  leaderboards,
  recentWins,
  seeds,
  postings,
  trialBalance,
  notifications,
  explorer,
  ledgerSeals,
  withdrawals,
  achievements,
  openRounds,
  gameDays,
];
