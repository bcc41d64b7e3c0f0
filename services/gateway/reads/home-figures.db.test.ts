import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
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

test('configured figures are returned without a query', async () => {
  const away = { query: () => Promise.reject(new Error('no look')) } as never;
  expect(await openHomeFigures(away, ['10K+', '1M+', '24/7', '99.9%'])()).toEqual({
    live: false,
    figures: [
      { name: 'players', text: '10K+' },
      { name: 'distributed', text: '1M+' },
      { name: 'availability', text: '24/7' },
      { name: 'uptime', text: '99.9%' },
    ],
  });
  await expect(openHomeFigures(away, 'live')()).rejects.toThrow('no look');
});
