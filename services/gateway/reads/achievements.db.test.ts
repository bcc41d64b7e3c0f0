import { ACHIEVEMENT_NAMES, type Achievement } from '@reelbook/contract/player/profile';
import { ACHIEVEMENTS } from '@reelbook/projections/achievements/projection';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test('the round with a high stake earns the achievement', async () => {
  const player = await site.login();
  const read = () => player.call<Achievement[]>('/user/achievements');
  const before = (await read()).data;
  expect(before.map(({ name }) => name)).toEqual([...ACHIEVEMENT_NAMES]);
  expect(before.map(({ name }) => name)).toEqual(ACHIEVEMENTS.map(({ name }) => name));
  expect(before.every(({ earned_at, position }) => earned_at === null && position === null)).toBe(
    true,
  );
  const bet = await player.call<{ position: number }>('/game/slot-machine/bet', {
    body: { bet_amount: 100 },
  });
  const after = await vi.waitFor(async () => {
    const answer = await read();
    expect(answer.data[2]?.position).not.toBeNull();
    return answer;
  }, WAIT);
  expect(after.data[2]).toMatchObject({ name: 'high-roller', reached: 100, target: 100 });
  expect(after.data[2]?.position).toBe(bet.data.position);
});
