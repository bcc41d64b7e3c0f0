/** Failures of wallets, servers, tabs, sockets and storage in the middle of an action. */
import type { Page, WebSocketRoute } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { landed, openConnect, signIn, slotHistory, waitForSigning, waitForText } from './player.ts';
import { installWallet, TEST_WALLET, type TestWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

const OTHER_ACCOUNT = 'So11111111111111111111111111111111111111112';
const LONG_MS = 60_000;

useSite();
useVisitor();

let wallet: TestWallet;
beforeEach(async () => {
  wallet = await installWallet(context);
});

const spin = (on: Page) => on.getByRole('button', { name: 'SPIN' }).click();

describe('the first paint', () => {
  it('home has its final layout before the app has loaded', async () => {
    const measure = async () => {
      const boxes: unknown[] = [];
      for (const name of ['Play slot machine', 'Explore games']) {
        boxes.push(await page.locator('#root').getByRole('link', { name }).first().boundingBox());
      }
      boxes.push(await page.getByRole('heading', { level: 1 }).first().boundingBox());
      boxes.push(await page.getByText('Events in the ledger').first().boundingBox());
      boxes.push(await page.getByRole('banner').boundingBox());
      return boxes;
    };
    await page.route('**/assets/core-*.js', (route) => route.abort());
    await page.goto(site.url);
    await page.evaluate(() => document.fonts.ready);
    const before = await measure();
    expect(await page.locator('.first-paint').isVisible()).toBe(true);
    await page.unroute('**/assets/core-*.js');
    await page.reload();
    await page.getByText('Recent big wins').waitFor();
    await page.evaluate(() => document.fonts.ready);
    expect(await measure()).toEqual(before);
  });

  it('a button pressed before the app has loaded works', async () => {
    let arrive = () => {};
    const held = new Promise<void>((done) => {
      arrive = done;
    });
    await page.route('**/assets/core-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(site.url, { waitUntil: 'commit' });
    const button = page.locator('.first-paint').getByRole('banner').getByRole('button');
    await button.click();
    expect(await button.textContent()).toBe('Loading…');
    arrive();
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
  });
});

describe('during a login', () => {
  it('a wallet that never responds can be cancelled and requested again', async () => {
    await page.goto(site.url);
    await openConnect(page);
    await wallet.behave(page, { connect: 'never' });
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await waitForText(page, 'Waiting…');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await wallet.behave(page, { connect: 'ok' });
    await openConnect(page);
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await page.locator('.holdings').waitFor();
  });
});

describe('during a spin', () => {
  beforeEach(async () => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/slot-machine`);
  });

  it('two tabs play one after the other and show the same balance', async () => {
    const other = await context.newPage();
    await other.goto(`${site.url}/slot-machine`);
    await spin(page);
    await landed(page);
    await spin(other);
    await landed(other);
    expect((await slotHistory(site, page)).total).toBe(2);
    const held = (on: Page) => on.locator('.holdings dd').nth(1).textContent();
    await expect.poll(() => held(page)).toBe(await held(other));
  });

  it('with full storage the app works, and forgets the session with the tab', async () => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await page.reload();
    await spin(page);
    await landed(page);
    expect((await slotHistory(site, page)).total).toBe(1);
  });
});

describe('during a deposit', () => {
  it('another account in the wallet ends it, and nothing is sent', async () => {
    await signIn(page, site.url);
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Fill my wallet' }).click();
    await waitForText(page, /Your wallet received .* play BSM/);
    await page.locator('.cabinet dd', { hasText: '100.00' }).waitFor();
    await wallet.behave(page, { sign: 'never' });
    const panel = page.locator('section', {
      has: page.getByRole('heading', { name: 'Deposit', exact: true }),
    });
    await panel.getByRole('textbox').fill('5');
    await panel.getByRole('button', { name: 'Deposit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
    await waitForSigning(page);
    await wallet.switchAccount(page, OTHER_ACCOUNT);
    await waitForText(page, 'Your wallet switched to another account.');
    await waitForText(page, 'Wallet not connected.');
    expect(await page.evaluate(() => localStorage.getItem('pending_deposit'))).toBeNull();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
});

describe('a server that returns invalid data', () => {
  /** Pages that load data from the server. */
  const READING = [
    '/',
    '/slot-machine',
    '/tetris',
    '/wallet',
    '/profile',
    '/leaderboard',
    '/fairness',
  ];
  const INVALID = [
    { status: 200, json: { code: 200, message: 'success', data: { unknown: 1 } } },
    { status: 200, json: { code: 200, message: 'success', data: null } },
    { status: 200, contentType: 'text/html', body: '<h1>It works</h1>' },
    { status: 200, contentType: 'application/json', body: '{"code":200,"data":{"items":[{"id":' },
    { status: 502, body: 'Bad gateway' },
  ];

  it('breaks no page, ends no session, and offers a retry', async () => {
    await signIn(page, site.url);
    let count = 0;
    let isRight = false;
    await context.route('**/api/v1/**', (route) =>
      isRight ? route.continue() : route.fulfill(INVALID[count++ % INVALID.length]),
    );
    const failed = (on: Page) => on.getByText(/This could not be loaded|无法加载/).first();
    const open = READING.map(async (path) => {
      const one = await context.newPage();
      await one.goto(site.url + path);
      await failed(one).waitFor({ timeout: LONG_MS });
      expect(await one.getByText('This page has an error').count(), path).toBe(0);
      await one.close();
    });
    await Promise.all(open);
    await page.goto(`${site.url}/history`);
    await failed(page).waitFor();
    isRight = true;
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // Also without a press, after a moment.
    const again = page.getByRole('button', { name: 'Try again' });
    if (await again.isVisible()) await again.click({ timeout: 5_000 }).catch(() => {});
    await page.getByText('No game history yet. Start playing!').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull();
  });
});

describe('offline', () => {
  const OFFLINE = 'You are offline.';

  it('is shown at once, to visitors too; a page that is not loaded opens when the network is back', async () => {
    await page.goto(site.url);
    await page.locator('.first-paint').waitFor({ state: 'detached' });
    await context.setOffline(true);
    await waitForText(page, OFFLINE);
    await context.setOffline(false);
    await page.getByText(OFFLINE).waitFor({ state: 'detached' });
    await signIn(page, site.url);
    await context.setOffline(true);
    for (const name of ['Games', 'Leaderboard', 'Fairness', 'Profile', 'Wallet']) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
      await page.waitForURL(`${site.url}/${name.toLowerCase()}`);
      await waitForText(page, OFFLINE);
      await page.locator('.holdings').waitFor();
      expect(await page.getByText('This page has an error').count()).toBe(0);
    }
    await expectAccessible(page, 'offline');
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Withdraw', exact: true }).waitFor();
    await page.getByText(OFFLINE).waitFor({ state: 'detached' });
  });
});

describe('offline, a game', () => {
  it.each([
    ['/slot-machine', 'SPIN'],
    ['/tetris', 'Start game'],
  ])('takes no bet: %s', async (path, name) => {
    await page.goto(site.url);
    await page.evaluate(() => localStorage.setItem('language', 'en'));
    await signIn(page, site.url);
    await page.goto(site.url + path);
    const play = page.getByRole('button', { name });
    await play.waitFor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await context.setOffline(true);
    const offline = page.locator('[data-play]', { hasText: 'You are offline.' });
    await offline.waitFor();
    await offline.click({ force: true });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await context.setOffline(false);
    await play.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(sent.filter((one) => /\/(bet|start)$/.test(one))).toEqual([]);
  });
});

describe('the live channel', () => {
  it('disconnects: five attempts, one when online or when the server is back, a button, and the end at 4401', async () => {
    await page.clock.install();
    const sockets: WebSocketRoute[] = [];
    let isRefused = false;
    await page.routeWebSocket(/\/ws/, (socket) => {
      sockets.push(socket);
      if (isRefused) void socket.close({ code: 1011 });
      else socket.connectToServer();
    });
    await signIn(page, site.url);
    await expect.poll(() => sockets.length).toBe(1);
    isRefused = true;
    await sockets[0]?.close({ code: 1012 });
    await waitForText(page, 'Live updates are interrupted. Reconnecting…');
    for (const [attempt, seconds] of [3, 6, 12, 24, 48].entries()) {
      await page.clock.fastForward(seconds * 1_000);
      await expect.poll(() => sockets.length).toBe(attempt + 2);
    }
    await waitForText(page, 'Live updates have stopped.');
    await page.route('**/health', (route) => route.abort());
    const asked = page.waitForRequest('**/health');
    await page.clock.fastForward(600_000);
    await asked;
    expect(sockets).toHaveLength(6);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect.poll(() => sockets.length).toBe(7);
    await waitForText(page, 'Live updates have stopped.');
    await page.unroute('**/health');
    await page.clock.fastForward(30_000);
    await expect.poll(() => sockets.length).toBe(8);
    await waitForText(page, 'Live updates have stopped.');
    isRefused = false;
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByText('Live updates').waitFor({ state: 'detached' });
    expect(sockets).toHaveLength(9);
    await sockets[8]?.close({ code: 4401 });
    await waitForText(page, 'Your session has ended. Connect your wallet again.');
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
  });
});
