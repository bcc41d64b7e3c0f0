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

/** All achievements of a player, earned or not, in their order. */
export async function readAchievements(db: Db, wallet: string): Promise<readonly Achievement[]> {
  const [progress, earned] = await Promise.all([readProgress(db, wallet), readEarned(db, wallet)]);
  return ACHIEVEMENTS.map(({ name, counts, from }) => {
    const own = earned.get(name);
    return { name, counts, from, reached: BigInt(progress[counts]), earned: own ?? null };
  });
}

async function readProgress(db: Db, wallet: string): Promise<Record<keyof Progress, string>> {
  const { rows } = await db.query<Record<keyof Progress, string>>({
    name: 'read-achievements-progress',
    text: `select games, wins, slot_games as "slotGames", won as "wonMinor",
        highest_stake as "highestStakeMinor"
      from projections.achievements_progress_v1 where wallet = $1`,
    values: [wallet],
  });
  const none = { games: '0', wins: '0', slotGames: '0', wonMinor: '0', highestStakeMinor: '0' };
  return rows[0] ?? none;
}

async function readEarned(db: Db, wallet: string) {
  const { rows } = await db.query<{ name: string; position: number; earned_at: string }>({
    name: 'read-achievements',
    text: 'select name, position, earned_at from projections.achievements_v1 where wallet = $1',
    values: [wallet],
  });
  return new Map(rows.map(({ name, position, earned_at: at }) => [name, { position, at }]));
}
