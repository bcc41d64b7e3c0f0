import type { Db } from '../projection.ts';
import { ACHIEVEMENTS, type AchievementName, type Progress } from './achievements.ts';

export interface Achievement {
  readonly name: AchievementName;
  /** What it counts has come this far, and is enough from `from` on. */
  readonly counts: keyof Progress;
  readonly reached: bigint;
  readonly from: bigint;
  /** The round that earned it; null until then. */
  readonly earned: { readonly position: number; readonly at: string } | null;
}

/** All achievements of a player, earned or not, in their order, as of one moment. */
export async function readAchievements(db: Db, wallet: string): Promise<readonly Achievement[]> {
  // One statement, so that progress and what it earned are of one snapshot.
  const { rows } = await db.query<AchievementRow>({
    name: 'read-achievements',
    text: `select progress.games, progress.wins, progress.slot_games as "slotGames", progress.won as "wonMinor",
        progress.highest_stake as "highestStakeMinor", earned.name, earned.position, earned.earned_at as at
      from projections.achievements_progress_v1 progress
      left join projections.achievements_v1 earned using (wallet)
      where progress.wallet = $1`,
    values: [wallet],
  });
  return ACHIEVEMENTS.map(({ name, counts, from }) => {
    const { position, at } = rows.find((row) => row.name === name) ?? {};
    const earned = position && at ? { position, at } : null;
    return { name, counts, from, reached: BigInt(rows[0]?.[counts] ?? 0), earned };
  });
}

/** A row for each earned achievement; one with nulls where none was earned. */
interface AchievementRow extends Record<keyof Progress, string> {
  readonly name: string | null;
  readonly position: number | null;
  readonly at: string | null;
}
