import type { Achievement } from '@reelbook/contract/player/profile';
import { toNumber } from '@reelbook/ledger/money';
import { readAchievements } from '@reelbook/projections/achievements/projection';
import type { Gateway } from '../context.ts';

/** All achievements of a player. Amounts are in points. */
export async function readAchievementList(
  { pool }: Pick<Gateway, 'pool'>,
  wallet: string,
): Promise<Achievement[]> {
  const all = await readAchievements(pool, wallet);
  return all.map(({ name, counts, reached, from, earned }) => {
    const shown = (n: bigint) => (counts.endsWith('Minor') ? toNumber('points', n) : Number(n));
    return {
      name,
      reached: shown(reached),
      target: shown(from),
      earned_at: earned?.at ?? null,
      position: earned?.position ?? null,
    };
  });
}
