/** Closed states in a browser: excluded, suspended and paused players, on each page that it touches. */
import type { Protection } from '@reelbook/contract/player/protection';
import { WAIT } from '@reelbook/testing/wait';
import type { Page, WebSocketRoute } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { act, approve, enterConsole } from './console-given.ts';
import { ask, landed, PAGES, respond, signIn, waitForText } from './player.ts';
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
const PAUSED_ZH = '运营方已暂停此功能';
/** The mini-games are in Chinese until a language is chosen. */
const EITHER = {
  excluded: /^(You are excluded from play|你正处于禁玩期)$/,
  suspended: /^(Your account is suspended|你的账户已被停用)$/,
  paused: /^(Paused by the operators|运营方已暂停此功能)$/,
  noChain: 'No connection to the chain',
};
const STAKES =
  /^(SPIN|(Start game|开始游戏|Play again|再玩一局).*|Place bet|Deposit|Report deposit)$/;
/** In links that lead to a game: the text of a card has more than this. */
const PLAY =
  /Play now|Play slot machine|Start playing|Play a round|立即开始|开始玩老虎机|开始游戏|玩一局/;
const HEIGHTS = { phone: 844, desktop: 900, narrow: 568 } as const;
const SIZES = { phone: 390, desktop: 1440, narrow: 320 } as const;

const panel = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
const spin = () => page.getByRole('button', { name: 'SPIN', exact: true });
/** Where the links lead that show a game as open. */
const openGames = (on: Page) =>
  on
    .locator('main a')
    .filter({ hasText: PLAY })
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
const expectOpen = (on: Page, games: readonly string[], message = '') =>
  expect.poll(() => openGames(on), { message, timeout: WAIT.timeout }).toEqual(games);

/** The page has the state before anything is pressed, and nothing that stakes or pays in. */
async function shows(on: Page, state: keyof typeof EITHER, path: string): Promise<void> {
  await on.getByRole('status').getByText(EITHER[state]).first().waitFor();
  const open = on.getByRole('button', { name: STAKES, disabled: false });
  expect(await open.count(), `${state} ${path}`).toBe(0);
  // In the hall, links start a game; elsewhere they lead to its page, below the bar.
  if (path.startsWith('/games')) await expectOpen(on, [], `${state} ${path}`);
}

/** Home shows no game as open: its three links to the slot machine have the text of the pause. */
async function homeShowsPaused(on: Page, text: string): Promise<void> {
  const links = on.locator('main a[href="/slot-machine"]');
  await links.filter({ hasText: text }).nth(2).waitFor({ state: 'attached' });
  expect(await links.count()).toBe(3);
  await expectOpen(on, []);
}

/** In the name of the player on this page. */
async function call(method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method, headers, body: JSON.stringify(body) };
  expect((await fetch(`${site.url}/api/v1${path}`, init)).status).toBe(200);
}

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
  await waitForText(page, '你正处于禁玩期');
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

it('an exclusion closes every open page, and its end opens it, without a reload', async () => {
  const paths = ['/slot-machine', '/tetris', '/games', '/wallet', '/limits', '/', '/my-data'];
  const tabs = await Promise.all(paths.map(() => context.newPage()));
  for (const [at, tab] of tabs.entries()) {
    await tab.goto(site.url + paths[at]);
    await tab.locator('.holdings').waitFor();
  }
  await call('POST', '/user/protection/exclusion', { term: '24h' });
  for (const [at, tab] of tabs.entries()) await shows(tab, 'excluded', `${paths[at]}, open`);
  for (const path of [...PAGES, '/payments/none']) {
    await page.goto(site.url + path);
    await shows(page, 'excluded', path);
  }
  // A day is too long for a test: from here on it ends in the server's response.
  await context.unrouteAll();
  const until = new Date(Date.now() + 30_000).toISOString();
  await page.route('**/api/v1/user/protection', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.exclusion = Date.now() < Date.parse(until) ? { until } : null;
    await route.fulfill({ response, json: answer });
  });
  await page.goto(`${site.url}/slot-machine`);
  await shows(page, 'excluded', 'before its end');
  await page.getByRole('button', { name: 'SPIN', exact: true, disabled: false }).waitFor();
});

it('nothing can be staked before the page knows whether the player may', async () => {
  let answer = () => {};
  const known = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/user/protection', async (route) => {
    await known;
    await route.continue();
  });
  const button = (name: string | RegExp, disabled: boolean) =>
    page.getByRole('button', { name, exact: true, disabled });
  for (const [path, name] of [
    ['/slot-machine', 'SPIN'],
    ['/tetris', /^开始游戏/],
    ['/wallet', 'Deposit'],
  ] as const) {
    await page.goto(site.url + path);
    await page.locator('.holdings').waitFor();
    await button(name, true).waitFor();
    expect(await button(name, false).count(), path).toBe(0);
  }
  answer();
  await button('Deposit', false).waitFor();
});

it('what changed while the live channel was down is shown when it is back', async () => {
  const sockets: WebSocketRoute[] = [];
  let [isRefused, isSubscribed] = [false, false];
  await page.routeWebSocket(/\/ws/, (socket) => {
    sockets.push(socket);
    if (isRefused) return void socket.close({ code: 1011 });
    const server = socket.connectToServer();
    server.onMessage((message) => {
      socket.send(message);
      isSubscribed ||= String(message).includes('subscribed');
    });
  });
  await page.goto(`${site.url}/limits`);
  await expect.poll(() => isSubscribed).toBe(true);
  isRefused = true;
  await sockets[0]?.close({ code: 1012 });
  await waitForText(page, /^Live updates are interrupted/);
  const limit = { limit: 'wager', period: 'day', amount: 77 };
  await call('PUT', '/user/protection/limits', limit);
  const { limits } = await ask<Protection>(page, '/user/protection');
  expect(limits).toMatchObject([limit]);
  isRefused = false;
  await waitForText(page, /^77\.00 points$/);
  await call('PUT', '/user/protection/limits', { ...limit, amount: 66 });
  // Older than five seconds, what is shown is loaded again when the player returns to the tab.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      return page.getByText(/^66\.00 points$/).count();
    })
    .toBe(1);
});

it('a site without a chain has no deposit and no withdrawal form', async () => {
  await page.route('**/api/v1/config/system', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    Object.assign(answer.data, { network: null, rpc_url: null, faucet: false });
    await route.fulfill({ response, json: answer });
  });
  await page.goto(`${site.url}/wallet`);
  for (const title of ['Deposit', 'Withdraw']) {
    await panel(title).getByText(EITHER.noChain).waitFor();
    expect(await panel(title).getByRole('textbox').count()).toBe(0);
  }
  await shows(page, 'noChain', '/wallet');
  await looksRight('no-chain');
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
  for (const path of [...PAGES, '/payments/none']) {
    await page.goto(site.url + path);
    await shows(page, 'suspended', path);
  }
  await page.goto(`${site.url}/slot-machine`);
  await waitForText(page, SUSPENDED);
  await decide(desk, 'Reinstate');
  const [other] = await enterConsole(browser, await site.link('second'));
  await approve(other, 'Reinstatement');
  await other.context().close();
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
  await page.goto(site.url);
  await homeShowsPaused(page, PAUSED);
  await looksRight('paused-home');
  await page.locator('main a[href="/slot-machine"]').first().click();
  await waitForText(page, PAUSED);
  await page.goto(`${site.url}/games`);
  await page.locator('.closed').getByText(PAUSED).waitFor();
  await expectOpen(page, ['/tetris', '/snake', '/minesweeper']);
  await pause('games.tetris.enabled');
  // The open hall shows it too.
  await page.locator('a[href="/tetris"]', { hasText: PAUSED }).waitFor();
  await expectOpen(page, ['/snake', '/minesweeper']);
  await page.goto(`${site.url}/tetris`);
  await waitForText(page, PAUSED_ZH);
  const chinese = await visit(browser, 'phone');
  await chinese.context.addInitScript(() => localStorage.setItem('language', 'zh'));
  await chinese.page.goto(site.url);
  await homeShowsPaused(chinese.page, PAUSED_ZH);
  await picture(chinese.page, 'states-paused-home-zh');
  await chinese.context.close();
  await page.goto(`${site.url}/wallet`);
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  await dialog.getByRole('textbox').fill('100');
  await pause('exchange.enabled');
  await dialog.getByText(PAUSED).waitFor();
  expect(await dialog.getByRole('textbox').count()).toBe(0);
  await pause('withdraw.enabled');
  await page.goto(`${site.url}/wallet`);
  await waitForText(page, 'Exchange is temporarily unavailable. Your balances are not affected.');
  await panel('Withdraw')
    .getByText(/^The operators have paused payments/)
    .waitFor();
  await looksRight('paused-wallet');
  await pause('play.enabled');
  for (const path of ['/games', '/slot-machine', '/tetris', '/snake', '/minesweeper']) {
    await page.goto(site.url + path);
    await shows(page, 'paused', path);
    const visitor = await visit(browser, 'desktop');
    await visitor.page.goto(site.url + path);
    await shows(visitor.page, 'paused', `${path} of a visitor`);
    await picture(visitor.page, `states-paused-visitor${path.replace('/', '-')}`);
    await visitor.context.close();
  }
});
