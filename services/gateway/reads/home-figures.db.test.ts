import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHomeFigures } from './boards.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test('counted figures match the ledger', async () => {
  const player = await site.login();
  const { position } = (await player.call<{ position: number }>('/user/balance')).data;
  const answer = await fetch(`${site.url}/api/v1/config/home`);
  const { data } = await answer.json();
  expect(data.live).toBe(true);
  const names = data.figures.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['players', 'distributed', 'rounds', 'events']);
  expect(Number(data.figures[3].text)).toBeGreaterThanOrEqual(position);
});

test('configured figures are shown from the first round on; before it, the ledger is counted', async () => {
  const set = ['10K+', '1M+', '24/7', '99.9%'];
  const player = await site.login();
  expect(await openHomeFigures(site.pool, set)()).toMatchObject({
    live: true,
    figures: [
      { name: 'players' },
      { name: 'distributed', text: '0' },
      { name: 'rounds', text: '0' },
      {},
    ],
  });
  await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  const configured = {
    live: false,
    figures: [
      { name: 'players', text: '10K+' },
      { name: 'distributed', text: '1M+' },
      { name: 'availability', text: '24/7' },
      { name: 'uptime', text: '99.9%' },
    ],
  };
  await expect.poll(() => openHomeFigures(site.pool, set)(), WAIT).toEqual(configured);
});

test('a failed count is an error, not a claim, and is repeated', async () => {
  let isAway = true;
  const query = (input: string) =>
    isAway ? Promise.reject(new Error('no look')) : site.pool.query(input);
  const figures = openHomeFigures({ query } as never, ['10K+', '1M+', '24/7', '99.9%']);
  await expect(figures()).rejects.toThrow('no look');
  isAway = false;
  expect(await figures()).toMatchObject({ live: false });
});
