/** Responsible-play features in a browser: limits, exclusion, reality check and session clock. */
import type { Protection } from '@reelbook/contract/player/protection';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { ask, landed, signIn, slotHistory, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';
import { paysMultiple, wantDraws } from './wanted-draws.ts';

useSite();
useVisitor();

beforeEach(async () => {
  await installWallet(context);
});

const spin = () => page.getByRole('button', { name: 'SPIN' }).click();

const SESSION = { elapsed_seconds: 902, staked: 120, won: 75.5, net: -44.5 };

const panel = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });

describe('the figures of a player', () => {
  const LOSS = 'Staked less won, in all games: 10.00 points.';

  it('agree on every page, in every tab and with the ledger, and say what they count', async () => {
    await signIn(page, site.url);
    await wantDraws(page, site, (drawsOf) => [0, 1].every((n) => paysMultiple(0n)(drawsOf(n))));
    const tab = await context.newPage();
    await tab.goto(`${site.url}/limits`);
    await tab.getByText(/^No active session/).waitFor();
    await page.goto(`${site.url}/slot-machine`);
    await page.getByRole('button', { name: '10', exact: true }).click();
    await spin();
    await landed(page);
    const staked = (on: Page) =>
      on.locator('dl > div', { hasText: 'Staked' }).getByText('10.00', { exact: true });
    await staked(page).waitFor();
    await staked(tab).waitFor();
    // The limit is below what was lost before it, and the session goes on.
    await tab.getByRole('textbox', { name: /^Maximum/ }).fill('5');
    await tab.getByRole('button', { name: 'Set limit' }).click();
    await waitForText(tab, /^The limit is reached until /);
    await waitForText(tab, LOSS);
    await staked(tab).waitFor();
    await tab.reload();
    await waitForText(tab, /^The limit is reached until /);
    await staked(tab).waitFor();
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await tab.setViewportSize({ width, height });
      await expectAccessible(tab, 'limits');
      await picture(tab, `figures-limits-${width}`);
    }
    await spin();
    await waitForText(page, /^Game failed: .*loss limit of 5\.00 points/);
    // The limit of the page that plays counts each round at once.
    const limit = { limit: 'loss', period: 'week', amount: 500 } as const;
    const token = await page.evaluate(() => localStorage.getItem('token'));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method: 'PUT', headers, body: JSON.stringify(limit) };
    expect((await fetch(`${site.url}/api/v1/user/protection/limits`, init)).status).toBe(200);
    const { limits } = await ask<Protection>(page, '/user/protection');
    expect(limits.map(({ used, left }) => [used, left])).toEqual([
      [10, 0],
      [10, 490],
    ]);

    await site.caughtUp();
    await page.goto(`${site.url}/profile`);
    const figures = page
      .getByRole('region', { name: /^Settled rounds of all games, 10 XP each/ })
      .locator('dd');
    await expect.poll(() => figures.allTextContents()).toEqual(['1', '0', '0.00 %', '0.00']);
    await waitForText(page, /^Settled rounds of all games, except/);
    await waitForText(page, '1 / 1,000');
    await picture(page, 'figures-profile');
    await page.goto(`${site.url}/leaderboard`);
    for (const [name, counts] of [
      ['Top Earnings', 'Points paid by the rounds won, in all games. Stakes are not deducted.'],
      ['Most Wins', 'Rounds won, in all games.'],
      ['Top Points', 'Points held now.'],
    ] as const) {
      await page.getByRole('tab', { name }).click();
      await waitForText(page, counts);
    }
    await picture(page, 'figures-leaderboard');
    await tab.close();
  });
});

describe('a player who wants to stop', () => {
  beforeEach(() => signIn(page, site.url));

  it('sets a limit, which refuses the next bet, and may tighten it immediately', async () => {
    await page.goto(`${site.url}/limits`);
    const amount = page.getByRole('textbox', { name: /^Maximum/ });
    await page.getByRole('combobox', { name: 'Limit type' }).selectOption('wager');
    await amount.fill('5');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await waitForText(page, 'The limit is set.');
    await amount.fill('3');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await waitForText(page, /3\.00 (points )?left until/);
    await amount.fill('50');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await waitForText(page, /^Changes to 50\.00/);

    await page.goto(`${site.url}/slot-machine`);
    await page.getByRole('button', { name: '10', exact: true }).click();
    await spin();
    await waitForText(page, /^Game failed: .*limit/);
    await page.getByRole('button', { name: '1', exact: true }).click();
    await spin();
    await landed(page);
    expect((await slotHistory(site, page)).items).toHaveLength(1);
  });

  it('excludes themselves, cannot play, and can still withdraw all funds', async () => {
    await page.goto(`${site.url}/limits`);
    await page.getByRole('button', { name: 'Exclude myself' }).click();
    const sure = page.getByRole('dialog', { name: 'Exclude yourself?' });
    await sure.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Exclude myself' }).click();
    await sure.getByRole('button', { name: 'Yes, exclude me' }).click();
    await waitForText(page, 'You are excluded from play');

    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Exchange' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exchange' });
    await dialog.getByRole('button', { name: 'MAX' }).click();
    await dialog.getByRole('button', { name: 'Exchange' }).click();
    await page.locator('.holdings').getByText('10.00', { exact: true }).waitFor();
    const withdraw = panel('Withdraw');
    await withdraw.getByRole('button', { name: 'MAX' }).click();
    await withdraw.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
    await page.waitForURL(/\/payments\//);
    await page.getByText('9.50 BSM').first().waitFor();
    expect((await slotHistory(site, page)).items).toEqual([]);
  });
});

describe('a player who wants reminders', () => {
  const lineOf = (within: string, label: string) =>
    page
      .locator('section, [role=dialog]', { hasText: within })
      .locator('dl > div', { hasText: label });

  it('sees the session of the ledger, with the same figures on the slot page and on limits', async () => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/slot-machine`);
    await waitForText(page, /^No active session/);
    await spin();
    await page.getByRole('button', { name: 'Spinning...' }).waitFor();
    await landed(page);
    await page.keyboard.press('Escape');
    const [round] = (await slotHistory(site, page)).items;
    const net = Number(round?.win_amount) - Number(round?.bet_amount);
    const shown = `${net > 0 ? '+' : net < 0 ? '\u2212' : ''}${Math.abs(net).toFixed(2)}`;
    const agrees = async () => {
      await lineOf('This session', 'Staked').getByText('1.00', { exact: true }).waitFor();
      await lineOf('This session', 'Net').getByText(shown, { exact: true }).waitFor();
      const clock = page.getByRole('timer', { name: 'Time played' });
      await expect.poll(() => clock.textContent()).toMatch(/^00:0\d:/);
    };
    await agrees();
    await page.reload();
    await agrees();
    await page.goto(`${site.url}/limits`);
    await agrees();
  });

  it('sees the reality check when it is due, and the next bet waits for the answer', async () => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/limits`);
    await page.getByRole('combobox', { name: 'Remind me' }).selectOption('15');
    await page.getByRole('button', { name: 'Set reminder' }).click();
    await waitForText(page, 'The reminder is set.');
    // A quarter of an hour is too long for a test: from here on the server's response shows it as passed.
    let due = true;
    await page.route('**/api/v1/user/protection', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      answer.data.reality_check.due = due;
      answer.data.session = { ...answer.data.session, ...SESSION };
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`${site.url}/slot-machine`);
    const dialog = page.getByRole('dialog', { name: 'Reality check' });
    // It goes on while the page loads.
    await dialog.getByText(/^00:1\d:\d\d$/).waitFor();
    for (const [label, figure] of [
      ['Staked', '120.00'],
      ['Won', '75.50'],
      ['Net', '\u221244.50'],
    ] as const) {
      await lineOf('Reality check', label).getByText(figure, { exact: true }).waitFor();
    }
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    due = false;
    await dialog.getByRole('button', { name: 'Continue playing' }).click();
    await dialog.waitFor({ state: 'detached' });

    due = true;
    const refused = {
      code: 403,
      message: 'reality check due',
      data: { error: 'reality-check-due' },
    };
    await page.route('**/api/v1/game/slot-machine/bet', (route) =>
      route.fulfill({ status: 403, json: refused }),
    );
    await spin();
    await dialog.waitFor();
    due = false;
    await dialog.getByRole('button', { name: 'Stop playing' }).click();
    await page.waitForURL('**/limits');
    expect((await slotHistory(site, page)).items).toEqual([]);
  });
});
