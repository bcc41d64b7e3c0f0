/** From the first round on, a player's rounds use a client seed that their browser chose. */
import type { Seeds } from '@reelbook/contract/player/fairness';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { ask, chosenSeeds, drawnFrom, landed, signIn, slotHistory, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

beforeEach(async () => {
  await installWallet(context);
});

const ROTATE = '**/api/v1/fairness/rotate';

async function openSlot(on: Page): Promise<void> {
  await on.goto(`${site.url}/slot-machine`);
  await on.getByRole('button', { name: 'SPIN' }).waitFor();
}
const spin = (on: Page) => on.getByRole('button', { name: 'SPIN' }).click();
const cutRotations = () => context.route(ROTATE, (route) => route.abort());

const seeds = () => ask<Seeds>(page, '/fairness/seeds');
const chosen = () => chosenSeeds(page);

it('the first bet does not use a client seed of the site', async () => {
  await signIn(page, site.url);
  await openSlot(page);
  await spin(page);
  await landed(page);
  expect(await drawnFrom(site, page)).toEqual(await chosen());
  await site.caughtUp();
  expect(await seeds()).toMatchObject({ pair: 2, revealed: [{ pair: 1, nonces: 0 }] });
  await page.goto(`${site.url}/fairness`);
  await waitForText(page, 'chosen by this browser');
  await expectAccessible(page, 'fairness');
  await picture(page, 'own-seed');
});

it('a bet is not placed while the client seed cannot be set', async () => {
  await cutRotations();
  await signIn(page, site.url);
  await openSlot(page);
  await spin(page);
  await waitForText(page, 'Your client seed could not be set, so nothing was staked.');
  await picture(page, 'own-seed-failed');
  expect((await slotHistory(site, page)).total).toBe(0);
  await page.goto(`${site.url}/fairness`);
  await waitForText(page, 'chosen by the site');
  await context.unroute(ROTATE);
  await openSlot(page);
  await spin(page);
  await landed(page);
  expect(await drawnFrom(site, page)).toEqual(await chosen());
});

it('a mini-game does not start with the client seed of the site', async () => {
  await cutRotations();
  await signIn(page, site.url);
  await page.goto(`${site.url}/tetris`);
  await page.getByRole('button', { name: /Start game|开始游戏/ }).click();
  await waitForText(page, /Your client seed could not be set|无法设置你的客户端种子/);
  expect(await seeds()).toMatchObject({ pair: 1, active: { nonce: 0, client_seed_by: 'site' } });
});

it('a mini-game does not start when its page is left while the client seed is set', async () => {
  await cutRotations();
  await signIn(page, site.url);
  await expect.poll(async () => (await chosen()).length).toBe(1);
  await context.unroute(ROTATE);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await context.route(ROTATE, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${site.url}/tetris`);
  const requested = page.waitForRequest(ROTATE);
  await page.getByRole('button', { name: /Start game|开始游戏/ }).click();
  await requested;
  await page
    .getByRole('link', { name: /Back|返回/ })
    .first()
    .click();
  const rotated = page.waitForResponse(ROTATE);
  go();
  await rotated;
  await expect.poll(async () => (await seeds()).pair).toBe(2);
  await page.waitForLoadState('networkidle');
  expect(await ask<{ round: unknown }>(page, '/game/tetris/round')).toEqual({ round: null });
});

it('a reload between login and rotation replaces the seed of the site', async () => {
  await cutRotations();
  await signIn(page, site.url);
  await expect.poll(async () => (await chosen()).length).toBe(1);
  await context.unroute(ROTATE);
  await page.reload();
  await expect.poll(async () => (await seeds()).active.client_seed_by).toBe('player');
  expect((await seeds()).active.client_seed).toBe((await chosen())[0]);
});

it('two tabs at the same time choose one seed', async () => {
  await cutRotations();
  await signIn(page, site.url);
  await context.unroute(ROTATE);
  const other = await context.newPage();
  await Promise.all([openSlot(page), openSlot(other)]);
  await Promise.all([spin(page), spin(other)]);
  await Promise.all([landed(page), landed(other)]);
  const [own] = await chosen();
  // With two concurrent bets, the second tab shows the result of the first.
  expect(new Set(await drawnFrom(site, page))).toEqual(new Set([own]));
  expect((await seeds()).pair).toBe(2);
});
