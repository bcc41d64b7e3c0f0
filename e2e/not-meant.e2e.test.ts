/** Nothing is sent that the player did not mean: for another player, at other terms than shown, or by a dialog that opens by itself. */
import type { Protection } from '@reelbook/contract/player/protection';
import type { Locator, Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { visit, WIDTHS } from './browser.ts';
import { ask, exchange, fillWallet, landed, signIn, waitForText, withdrawal } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, page, site, useOwnSite, useVisitor } from './use-site.ts';

// Its own: the tests change the configuration.
useOwnSite({ GAME_TICK_MS: '20' });
useVisitor();

const LONG_MS = 120_000;

beforeEach(async () => {
  await installWallet(context);
  await signIn(page, site.url);
});

const panel = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
const middleOf = (box: { x: number; y: number; width: number; height: number } | null) => {
  if (!box) throw new Error('it is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const dialogs = () => page.getByRole('dialog');
const balance = (of: Page) =>
  ask<{ points_balance: number; token_balance: number }>(of, '/user/balance').then(
    ({ points_balance, token_balance }) => ({ points_balance, token_balance }),
  );
const link = (name: string) => page.getByRole('link', { name, exact: true }).first();

async function setConfig(path: string, value: string): Promise<void> {
  const { code, output } = await site.run('config', 'set', path, value, '--reason', 'a test');
  expect(code, output).toBe(0);
}

async function buyToken(): Promise<void> {
  await page.goto(`${site.url}/wallet`);
  await exchange.send(page, '600');
  await waitForText(page, 'Exchanged: you received 6.00 BSM.');
  await dialogs().waitFor({ state: 'detached' });
}

async function review(amount: string): Promise<void> {
  await panel('Withdraw').getByRole('textbox', { name: 'Amount (BSM)' }).fill(amount);
  await panel('Withdraw').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).waitFor();
}

it('a late result of a withdrawal changes no other page', async () => {
  await buyToken();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(withdrawal.call, async (route: Route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  await withdrawal.send(page);
  await link('Games').click();
  await page.waitForURL('**/games');
  release();
  await waitForText(page, withdrawal.done);
  expect(new URL(page.url()).pathname).toBe('/games');
});

describe('a page whose session another tab has replaced, before it hears of it', () => {
  /** What is pressed, on a page that is ready for it. */
  const presses: Readonly<Record<string, () => Promise<Locator>>> = {
    async 'an exchange'() {
      await page.goto(`${site.url}/wallet`);
      await page.getByRole('button', { name: 'Exchange', exact: true }).click();
      await dialogs().getByRole('textbox').fill('200');
      await dialogs().getByText('+2.00').waitFor();
      return dialogs().getByRole('button', { name: 'Exchange' });
    },
    async 'a withdrawal'() {
      await buyToken();
      await review('5');
      return page.getByRole('button', { name: 'Confirm withdrawal' });
    },
    async 'a bet'() {
      await page.goto(`${site.url}/slot-machine`);
      return page.getByRole('button', { name: 'SPIN', disabled: false });
    },
    async 'a start'() {
      await page.goto(`${site.url}/tetris`);
      return page.getByRole('button', { name: '开始游戏', disabled: false });
    },
  };

  it.each(Object.keys(presses))(
    'sends %s for no other player',
    { timeout: LONG_MS },
    async (what) => {
      const other = await visit(browser, 'desktop');
      await installWallet(other.context);
      await signIn(other.page, site.url);
      const stored = await other.page.evaluate(() => Object.entries({ ...localStorage }));
      const before = await balance(other.page);
      const button = await presses[what]?.();
      await button?.waitFor();
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
      });
      // Without an event: as on a page that was frozen, or came back from the history.
      await button?.evaluate((one: HTMLElement, entries) => {
        for (const [key, value] of entries) localStorage.setItem(key, value);
        one.click();
      }, stored);
      // The page then shows the other player.
      const holdings = await other.page.locator('.holdings').textContent();
      await expect
        .poll(() => page.locator('.holdings').textContent(), { timeout: LONG_MS })
        .toBe(holdings);
      expect(sent.filter((path) => /\/(bet|start|exchange|withdraw)$/.test(path))).toEqual([]);
      expect(await balance(other.page)).toEqual(before);
      await other.context.close();
    },
  );
});

it('a result that is sent again plays no round of the next player', {
  timeout: LONG_MS,
}, async () => {
  const other = await visit(browser, 'desktop');
  await installWallet(other.context);
  await signIn(other.page, site.url);
  const stored = await other.page.evaluate(() => Object.entries({ ...localStorage }));
  const before = await balance(other.page);
  await page.goto(`${site.url}/tetris`);
  let sent = 0;
  await context.route('**/game/tetris/play', async (route) => {
    sent += 1;
    if (sent > 1) return route.fallback();
    await page.evaluate((entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value);
      window.dispatchEvent(new StorageEvent('storage'));
    }, stored);
    await route.abort();
  });
  await page.getByRole('button', { name: '开始游戏' }).click();
  const holdings = await other.page.locator('.holdings').textContent();
  await expect.poll(() => sent, { timeout: LONG_MS }).toBe(1);
  await expect
    .poll(() => page.locator('.holdings').textContent(), { timeout: LONG_MS })
    .toBe(holdings);
  // Longer than the delay of the repetition.
  await page.waitForTimeout(3_000);
  expect([sent, await balance(other.page)]).toEqual([1, before]);
  await other.context.close();
});

describe.each(['phone', 'desktop'] as const)('on a %s', (width) => {
  const openers = [
    ['withdrawal', 'Withdraw', 'Confirm withdrawal'],
    ['deposit', 'Deposit', 'Deposit'],
    ['exclusion', 'Exclude myself', 'Yes, exclude me'],
  ] as const;

  it.each(openers)(
    'a double press opens the confirmation of a %s and confirms nothing',
    async (what, name, confirm) => {
      if (what === 'withdrawal') await buyToken();
      await page.setViewportSize({ width: WIDTHS[width], height: 844 });
      await page.goto(`${site.url}/${what === 'exclusion' ? 'limits' : 'wallet'}`);
      if (what === 'deposit') await fillWallet(page);
      const own = what === 'exclusion' ? page.locator('main') : panel(name);
      if (what !== 'exclusion') await own.getByRole('textbox', { name: 'Amount (BSM)' }).fill('5');
      // Room to scroll the button to the place of the confirmation.
      await page.addStyleTag({ content: 'main { padding-block: 1000px !important }' });
      const opener = own.getByRole('button', { name, exact: true });
      await opener.click();
      const confirmation = dialogs().getByRole('button', { name: confirm, exact: true });
      const place = middleOf(await confirmation.boundingBox());
      await page.keyboard.press('Escape');
      await dialogs().waitFor({ state: 'detached' });
      const before = middleOf(await opener.boundingBox());
      await page.evaluate((by) => window.scrollBy(0, by), before.y - place.y);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
      });
      const at = middleOf(await opener.boundingBox());
      expect(Math.abs(at.y - place.y)).toBeLessThan(2);
      const isUnder = width === 'phone' || Math.abs(at.x - place.x) < 20;
      await page.mouse.dblclick(isUnder ? place.x : at.x, place.y);
      await confirmation.waitFor();
      expect(sent).toEqual([]);
      await confirmation.click();
      await expect.poll(() => sent.length).toBeGreaterThan(0);
    },
  );
});

it('without a balance, no amount is called too high', async () => {
  await buyToken();
  await context.route('**/api/v1/user/balance', (route) => route.abort());
  await page.routeWebSocket(/\/ws/, (socket) => void socket.close({ code: 1011 }));
  await page.goto(`${site.url}/wallet`);
  await panel('Withdraw').getByRole('textbox', { name: 'Amount (BSM)' }).fill('5');
  await panel('Withdraw').getByText('fee 5 %').waitFor();
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  await dialogs().getByRole('textbox').fill('100');
  await dialogs().getByText('1 point = 0.01 BSM').waitFor();
  expect(await page.getByText(/^Insufficient/).count()).toBe(0);
  expect(await dialogs().getByRole('button', { name: 'Exchange' }).isDisabled()).toBe(true);
});

describe('the limits of a player', () => {
  const amount = () => page.getByRole('textbox', { name: /^Maximum/ });
  beforeEach(() => page.goto(`${site.url}/limits`));

  it('a looser one is not called set', async () => {
    await amount().fill('5');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await waitForText(page, 'The limit is set.');
    await page.locator('.toast').getByRole('button').click();
    await amount().fill('500');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await page.locator('.toast', { hasText: /^Changes to 500\.00 points at / }).waitFor();
    expect(await page.getByText('The limit is set.').count()).toBe(0);
  });

  it('one whose answer is lost is not called failed, and is shown as recorded', async () => {
    await context.route('**/api/v1/user/protection/**', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await amount().fill('7');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await waitForText(page, /^The server did not respond\. The page shows what is recorded/);
    await waitForText(page, /7\.00 points left until/);
    const { limits } = await ask<Protection>(page, '/user/protection');
    expect(limits).toMatchObject([{ amount: 7 }]);
  });
});

it('the time of an unconfirmed bet is the site’s, whatever the clock of the device', async () => {
  await page.clock.setFixedTime(Date.now() + 3 * 3_600_000);
  await page.goto(`${site.url}/slot-machine`);
  await page.getByRole('button', { name: 'SPIN' }).waitFor();
  await context.route('**/game/slot-machine/bet', (route) => route.abort());
  const minute = (atMs: number) =>
    page.evaluate((ms) => new Date(ms).toTimeString().slice(0, 5), atMs);
  const times = [await minute(Date.now()), await minute(Date.now() + 60_000)];
  await page.getByRole('button', { name: 'SPIN' }).click();
  const notice = page.getByRole('alert').filter({ hasText: /^Your bet of 1 at / });
  await notice.waitFor();
  // With its date, where the device has another one.
  const shown = /at (?:\d{4}-\d\d-\d\d )?(\d\d:\d\d)/.exec((await notice.textContent()) ?? '');
  expect(times).toContain(shown?.[1]);
  await context.unroute('**/game/slot-machine/bet');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'SPIN' }).click();
  await landed(page);
});

describe('terms that are no longer in force, on a page that has missed the change', () => {
  const refused = /changed the fee or the rate after the page showed it; nothing was moved/;

  /** Answers as before the change. @returns the end of it. */
  async function missed(path: string, before: (data: object) => void) {
    const pattern = `**/api/v1${path}`;
    await page.route(pattern, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      before(answer.data);
      await route.fulfill({ response, json: answer });
    });
    return () => page.unroute(pattern);
  }

  it('the fee of a withdrawal', async () => {
    await buyToken();
    const end = await missed('/config/system', (data: { withdraw_fee_rate?: number }) => {
      data.withdraw_fee_rate = 0.01;
    });
    await page.goto(`${site.url}/wallet`);
    await panel('Withdraw').getByText('fee 1 %').waitFor();
    await review('5.6');
    await dialogs().getByText('5.544 BSM').waitFor();
    await end();
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
    await waitForText(page, refused);
    expect((await balance(page)).token_balance).toBe(6);
    // The page has the terms in force, and its player decides again.
    await panel('Withdraw').getByText('5.32 BSM').waitFor();
    await review('5.6');
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
    await waitForText(page, 'Withdrawal requested: you will receive 5.32 BSM.');
  });

  it('the rate of an exchange', async () => {
    type Rates = { exchange_rates?: { points_to_tokens: number } };
    const end = await missed('/config/exchange-rates', (data: Rates) => {
      if (data.exchange_rates) data.exchange_rates.points_to_tokens = 0.02;
    });
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Exchange', exact: true }).click();
    await dialogs().getByRole('textbox').fill('200');
    await dialogs().getByText('+4.00').waitFor();
    await end();
    await dialogs().getByRole('button', { name: 'Exchange' }).click();
    await waitForText(page, refused);
    await dialogs().getByText('+2.00').waitFor();
    await dialogs().getByRole('button', { name: 'Exchange' }).click();
    await waitForText(page, 'Exchanged: you received 2.00 BSM.');
  });

  it('the fee of a game', async () => {
    type Configs = { tetris?: { timed: { fee: number } } };
    const end = await missed('/game/configs', (data: Configs) => {
      if (data.tetris) data.tetris.timed.fee = 5;
    });
    await page.goto(`${site.url}/tetris`);
    await page.getByText('5 积分', { exact: true }).first().waitFor();
    const start = page.getByRole('button', { name: '开始游戏', disabled: false });
    await start.waitFor();
    await end();
    await start.click();
    await waitForText(page, /运营方更改了费用或汇率/);
    expect((await balance(page)).points_balance).toBe(1_000);
    await page.getByText('10 积分', { exact: true }).first().waitFor();
    await start.click();
    await expect.poll(async () => (await balance(page)).points_balance).not.toBe(1_000);
  });
});

// Last: what operators raised is not lowered at once.
it('the minimum of a withdrawal: its review closes, and opens by a press only', {
  timeout: LONG_MS,
}, async () => {
  await buyToken();
  await review('5');
  await setConfig('withdraw.minTokenMinor', '5500000000');
  await panel('Withdraw').getByText('The minimum withdrawal is 5.50 BSM').waitFor();
  await dialogs().waitFor({ state: 'detached' });
  await panel('Withdraw').getByRole('textbox', { name: 'Amount (BSM)' }).fill('5.6');
  await panel('Withdraw').getByText('5.32 BSM').waitFor();
  expect(await dialogs().count()).toBe(0);
  await review('5.6');
});
