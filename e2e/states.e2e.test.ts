/** Closed states in a browser: excluded, suspended and paused players, on each page that it touches. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole } from './console-given.ts';
import { landed, respond, signIn, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, page, site, useOwnSite, useVisitor } from './use-site.ts';

// Its own: it stops functions of the site.
useOwnSite();
useVisitor();

beforeEach(async () => {
  await installWallet(context);
  await signIn(page, site.url);
});

const EXCLUDED = 'You are excluded from play';
const SUSPENDED = 'Your account is suspended';
const PAUSED = 'Paused by the operators';
const HEIGHTS = { phone: 844, desktop: 900, narrow: 568 } as const;
const SIZES = { phone: 390, desktop: 1440, narrow: 320 } as const;

const panel = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
const spin = () => page.getByRole('button', { name: 'SPIN', exact: true });

/** The page is accessible and fits at each size; with PICTURES in both languages and themes. */
async function looksRight(name: string): Promise<void> {
  for (const size of ['phone', 'narrow', 'desktop'] as const) {
    await page.setViewportSize({ width: SIZES[size], height: HEIGHTS[size] });
    const [wide, room] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(wide).toBe(room);
    await expectAccessible(page, name);
    await picture(page, `states-${name}-${size}`);
  }
}

it('an excluded player sees when play opens again, in place of all that is closed', async () => {
  await page.goto(`${site.url}/limits`);
  await page.getByRole('combobox', { name: 'Duration' }).selectOption('7d');
  await page.getByRole('button', { name: 'Exclude myself' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, exclude me' }).click();
  await waitForText(page, EXCLUDED);

  await page.goto(`${site.url}/slot-machine`);
  await waitForText(page, EXCLUDED);
  await waitForText(page, /^until \d{4}-\d\d-\d\d \d\d:\d\d$/);
  expect(await spin().count()).toBe(0);
  await looksRight('excluded-slot');
  await page.goto(`${site.url}/tetris`);
  await waitForText(page, '你已被禁玩');
  expect(await page.getByRole('button', { name: '开始游戏' }).count()).toBe(0);
  await looksRight('excluded-tetris');

  await page.goto(`${site.url}/wallet`);
  await panel('Deposit').getByText(EXCLUDED).waitFor();
  expect(await panel('Deposit').getByRole('textbox').count()).toBe(0);
  await looksRight('excluded-wallet');
  await page.getByRole('button', { name: 'Exchange' }).click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  await dialog.getByRole('button', { name: 'MAX' }).waitFor();
  await dialog.getByRole('tab', { name: 'BSM to points' }).click();
  await dialog.getByText(EXCLUDED).waitFor();

  await page.goto(`${site.url}/games`);
  await page.locator('.closed').getByText(EXCLUDED).waitFor();
  expect(await page.getByText('Play now').count()).toBe(0);
  await looksRight('excluded-hall');
  for (const path of ['/', '/profile', '/leaderboard', '/history']) {
    await page.goto(site.url + path);
    await page.locator('.closed-bar').getByText(EXCLUDED).waitFor();
  }
  await page.getByRole('link', { name: 'What you can still do' }).click();
  await page.locator('.closed').waitFor();
});

it('a suspension closes an open page, and its end opens it, without a reload', async () => {
  await page.goto(`${site.url}/slot-machine`);
  await spin().waitFor();
  const [desk] = await enterConsole(browser, await site.link('first'));
  const wallet = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'));
  await desk.goto(`${site.consoleUrl}/players/${wallet.wallet_address}`);
  const decide = async (on: Page, action: string) => {
    await on.getByRole('button', { name: action, exact: true }).click();
    await act(on, action);
  };
  await decide(desk, 'Suspend');
  await waitForText(page, SUSPENDED);
  expect(await spin().count()).toBe(0);
  await looksRight('suspended-slot');
  await decide(desk, 'Reinstate');
  await spin().click();
  await landed(page);
  await desk.context().close();
});

it('the focus returns after a dialog, and closing a toast leaves the dialog open', async () => {
  await page.goto(`${site.url}/limits`);
  const exclude = page.getByRole('button', { name: 'Exclude myself' });
  await exclude.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => exclude.evaluate((one) => one === document.activeElement)).toBe(true);

  await page.goto(`${site.url}/wallet`);
  const exchange = page.getByRole('button', { name: 'Exchange' });
  await exchange.click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  await dialog.getByRole('button', { name: 'MAX' }).click();
  await respond(page, '/transaction/exchange', { status: 422, message: 'switched off' });
  // The toast stays until it is dismissed.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await dialog.getByRole('button', { name: 'Exchange' }).click();
  const toast = page.locator('.toast', { hasText: 'Exchange failed: switched off' });
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await toast.waitFor({ state: 'detached' });
  expect(await dialog.isVisible()).toBe(true);
  await page.clock.resume();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => exchange.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('the slot machine fits 320 x 568: the bar does not cover SPIN', async () => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(`${site.url}/slot-machine`);
  await spin().waitFor();
  await spin().scrollIntoViewIfNeeded();
  const [button, bar] = [
    await spin().boundingBox(),
    await page.locator('.bottom-bar').boundingBox(),
  ];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await picture(page, 'states-narrow-slot');
});

it('a function that operators paused closes on its open page', async () => {
  await page.goto(`${site.url}/slot-machine`);
  await spin().waitFor();
  const pause = async (path: string) => {
    const { code, output } = await site.run('config', 'set', path, 'false', '--reason', 'a test');
    expect(code, output).toBe(0);
  };
  await pause('games.slot-machine.enabled');
  await waitForText(page, PAUSED);
  expect(await spin().count()).toBe(0);
  await looksRight('paused-slot');
  await pause('games.tetris.enabled');
  await page.goto(`${site.url}/tetris`);
  await waitForText(page, '运营方已暂停此功能');
  await pause('exchange.enabled');
  await pause('withdraw.enabled');
  await page.goto(`${site.url}/wallet`);
  await waitForText(page, 'Exchange is temporarily unavailable. Your balances are not affected.');
  await panel('Withdraw')
    .getByText(/^The operators have paused payments/)
    .waitFor();
  await looksRight('paused-wallet');
});
