/** A rough crossing: wallets, servers, tabs and storage that misbehave in the middle, and a player who wants to stop. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { openConnect, said, signIn } from './player.ts';
import { type Standalone, startStandalone } from './standalone.ts';
import { installWallet, TEST_WALLET, type TestWallet } from './test-wallet.ts';

const RESULT = /YOU WIN|No Win|JACKPOT/;
const OTHER_ACCOUNT = 'So11111111111111111111111111111111111111112';
const LONG_MS = 60_000;

let site: Standalone;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startStandalone(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

let context: BrowserContext;
let page: Page;
let wallet: TestWallet;
beforeEach(async () => {
  ({ context, page } = await visit(browser, 'desktop'));
  wallet = await installWallet(context);
});
afterEach(() => context.close());

const spin = (on: Page) => on.getByRole('button', { name: 'SPIN' }).click();
const result = (on: Page) => on.getByRole('dialog', { name: RESULT }).waitFor({ timeout: LONG_MS });

async function roundsPlayed(): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const answer = await fetch(`${site.url}/api/v1/game/slot-machine/history`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()).data.total;
}

describe('the first moment', () => {
  it('home stands where it will stand, before the app is there', async () => {
    const measure = async () => {
      const boxes: unknown[] = [];
      for (const name of ['Play slot machine', 'Explore games']) {
        boxes.push(await page.locator('#root').getByRole('link', { name }).first().boundingBox());
      }
      boxes.push(await page.getByRole('heading', { level: 1 }).first().boundingBox());
      boxes.push(await page.getByText('The book stands at').first().boundingBox());
      boxes.push(await page.getByRole('banner').boundingBox());
      return boxes;
    };
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.goto(site.url);
    await page.evaluate(() => document.fonts.ready);
    const before = await measure();
    expect(await page.locator('.first-paint').isVisible()).toBe(true);
    await page.unroute('**/assets/index-*.js');
    await page.reload();
    await page.getByText('Recent big wins').waitFor();
    await page.evaluate(() => document.fonts.ready);
    expect(await measure()).toEqual(before);
  });

  it('a button pressed before the app is there does what it says', async () => {
    let arrive = () => {};
    const held = new Promise<void>((done) => {
      arrive = done;
    });
    await page.route('**/assets/index-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(site.url, { waitUntil: 'commit' });
    await page.locator('.first-paint').getByRole('button', { name: 'Connect wallet' }).click();
    arrive();
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
  });
});

describe('in the middle of a login', () => {
  it('a wallet that never answers can be left and asked again', async () => {
    await page.goto(site.url);
    await openConnect(page);
    await wallet.behave(page, { connect: 'never' });
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await said(page, 'Waiting…');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await wallet.behave(page, { connect: 'ok' });
    await openConnect(page);
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await page.locator('.holdings').waitFor();
  });
});

describe('in the middle of a spin', () => {
  beforeEach(async () => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/slot-machine`);
  });

  it('a server that answers too late is asked again for the same bet', async () => {
    let asked = 0;
    await page.route('**/api/v1/game/slot-machine/bet', async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      // The bet is placed, but its answer comes after the page has given up waiting.
      await route.fetch();
      await new Promise((wake) => setTimeout(wake, 10_500));
      return route.abort();
    });
    await spin(page);
    await page.getByRole('button', { name: 'Spinning...' }).waitFor();
    await result(page);
    expect(asked).toBe(2);
    expect(await roundsPlayed()).toBe(1);
  });

  it('two tabs play one after the other, and agree on what is held', async () => {
    const other = await context.newPage();
    await other.goto(`${site.url}/slot-machine`);
    await spin(page);
    await result(page);
    await spin(other);
    await result(other);
    expect(await roundsPlayed()).toBe(2);
    const held = (on: Page) => on.locator('.holdings dd').nth(1).textContent();
    await expect.poll(() => held(page)).toBe(await held(other));
  });

  it('storage that is full costs nothing but the memory of the tab', async () => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await page.reload();
    await spin(page);
    await result(page);
    expect(await roundsPlayed()).toBe(1);
  });
});

describe('in the middle of a deposit', () => {
  it('another account in the wallet ends it, and nothing is sent', async () => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Fill my wallet' }).click();
    await said(page, /Your wallet received .* play BSM/);
    await wallet.behave(page, { sign: 'never' });
    const panel = page.locator('section', {
      has: page.getByRole('heading', { name: 'Deposit', exact: true }),
    });
    await panel.getByRole('textbox').fill('5');
    await panel.getByRole('button', { name: 'Deposit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
    await said(page, 'Waiting for your signature');
    await wallet.switchAccount(page, OTHER_ACCOUNT);
    await said(page, 'Your wallet shows another account now.');
    await said(page, 'Wallet not connected.');
    expect(await page.evaluate(() => localStorage.getItem('pending_deposit'))).toBeNull();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
});

describe('a player who wants to stop', () => {
  beforeEach(() => signIn(page, site.url));

  it('sets a limit, which refuses the next bet, and may tighten it at once', async () => {
    await page.goto(`${site.url}/limits`);
    const amount = page.getByRole('textbox', { name: /^At most/ });
    await page.getByRole('combobox', { name: 'What is limited' }).selectOption('wager');
    await amount.fill('5');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await said(page, 'The limit is in the book.');
    await amount.fill('3');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await said(page, /3\.00 (points )?left until/);
    await amount.fill('50');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await said(page, /^Changes to 50\.00/);

    await page.goto(`${site.url}/slot-machine`);
    await page.getByRole('button', { name: '10', exact: true }).click();
    await spin(page);
    await said(page, /^Game failed: .*limit/);
    await page.getByRole('button', { name: '1', exact: true }).click();
    await spin(page);
    await result(page);
    expect(await roundsPlayed()).toBe(1);
  });

  it('excludes themselves, cannot play, and can still take out all they have', async () => {
    await page.goto(`${site.url}/limits`);
    await page.getByRole('button', { name: 'Exclude myself' }).click();
    const sure = page.getByRole('dialog', { name: 'Exclude yourself?' });
    await sure.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Exclude myself' }).click();
    await sure.getByRole('button', { name: 'Yes, exclude me' }).click();
    await said(page, /^You have excluded yourself from play until/);

    await page.goto(`${site.url}/slot-machine`);
    await spin(page);
    await said(page, /^Game failed: you excluded yourself/);
    await page.goto(`${site.url}/tetris`);
    await page.getByRole('button', { name: '开始游戏' }).click();
    await said(page, '游戏开始失败，请重试。');

    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Exchange' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exchange' });
    await dialog.getByRole('button', { name: 'MAX' }).click();
    await dialog.getByRole('button', { name: 'Exchange' }).click();
    await said(page, 'Exchanged: you received 10.00 BSM.');
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Withdraw' }) });
    await panel.getByRole('button', { name: 'MAX' }).click();
    await panel.getByRole('button', { name: 'Withdraw' }).click();
    await said(page, 'Your withdrawal is requested: 9.50 BSM will arrive.');
    expect(await roundsPlayed()).toBe(0);
  });
});
