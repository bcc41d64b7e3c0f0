import { rowsOf, tables } from '@reelbook/event-store/query';
import type { Db } from '../projection.ts';
import { ACHIEVEMENTS, type AchievementName, type Progress } from './achievements.ts';

export interface Achievement {
  readonly name: AchievementName;
  /** The current figure; the achievement is earned from `from` on. */
  readonly counts: keyof Progress;
  readonly reached: bigint;
  readonly from: bigint;
  /** The round that earned it; null until then. */
  readonly earned: { readonly position: number; readonly at: string } | null;
}

/** All achievements of a player, earned or not, in their order, at one point in time. */
export async function readAchievements(db: Db, wallet: string): Promise<readonly Achievement[]> {
  // One statement, so that progress and achievements are of one snapshot; a row per earned one, one row if there is none.
  const own = tables
    .selectFrom('projections.achievements_progress_v1 as progress')
    .leftJoin('projections.achievements_v1 as earned', 'earned.wallet', 'progress.wallet')
    .select(['progress.games', 'progress.wins', 'progress.slot_games as slotGames'])
    .select(['progress.won as wonMinor', 'progress.highest_stake as highestStakeMinor'])
    .select(['earned.name', 'earned.position', 'earned.earned_at as at'])
    .where('progress.wallet', '=', wallet);
  const rows = await rowsOf(db, own, 'read-achievements');
  return ACHIEVEMENTS.map(({ name, counts, from }) => {
    const { position, at } = rows.find((row) => row.name === name) ?? {};
    const earned = position && at ? { position, at } : null;
    return { name, counts, from, reached: BigInt(rows[0]?.[counts] ?? 0), earned };
  });
}
