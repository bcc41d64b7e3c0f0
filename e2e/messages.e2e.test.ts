/** Every message of the specification's error catalogue, triggered in a real browser. */
import { beforeEach, describe, expect, it } from 'vitest';
import { landed, openConnect, respond, signIn, waitForText } from './player.ts';
import { installWallet, TEST_WALLET, type TestWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

describe('connecting a wallet', () => {
  it('without a wallet, shows that none is found and how to get one', async () => {
    await page.goto(site.url);
    await openConnect(page);
    await page.getByRole('button', { name: 'I have another wallet, or none' }).click();
    await waitForText(page, 'No Solana wallet found; please install one.');
    for (const name of ['Phantom', 'Solflare', 'OKX Wallet']) {
      await page.getByRole('link', { name: `Download ${name}` }).waitFor();
    }
    await page.getByRole('button', { name: 'I understand' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('with only an Ethereum wallet, refuses without a request to it', async () => {
    await page.addInitScript(() => {
      const ethereum = { isMetaMask: true, request: () => Promise.reject(new Error('requested')) };
      Object.assign(window, { ethereum });
    });
    await page.goto(site.url);
    await openConnect(page);
    await waitForText(page, 'This app requires a Solana wallet, not MetaMask.');
  });

  it.each([
    [{ connect: 'reject' }, 'Wallet connection was rejected by user.'],
    [{ connect: 'fail' }, 'Failed to connect to wallet. Please try again.'],
    [{ connect: 'no-account' }, 'Failed to connect wallet or get public key.'],
    [{ sign: 'reject' }, 'Wallet connection was rejected by user.'],
    [{ sign: 'fail' }, 'Failed to sign message. Please try again.'],
  ] as const)('a wallet that does %o', async (behaviour, words) => {
    const wallet = await installWallet(context);
    await page.goto(site.url);
    await openConnect(page);
    await wallet.behave(page, behaviour);
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await waitForText(page, words);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });

  it('a login that the server refuses or does not answer', async () => {
    await installWallet(context);
    await page.goto(site.url);
    await openConnect(page);
    await respond(page, '/auth/login', { status: 400, message: 'login refused: no' });
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await waitForText(page, 'Login was refused: login refused: no');
    await page.unroute('**/api/v1/auth/login');
    await respond(page, '/auth/login', 'down');
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await waitForText(page, 'The server cannot be reached. No data is lost. Try again later.');
    await page.unroute('**/api/v1/auth/login');
    await respond(page, '/auth/login', { status: 200, message: 'success', data: {} });
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await waitForText(page, /^Failed to connect wallet$/);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
});

describe('playing and exchanging', () => {
  let wallet: TestWallet;
  beforeEach(async () => {
    wallet = await installWallet(context);
    await signIn(page, site.url);
  });

  it('every refusal of a spin has its own message', async () => {
    await page.goto(`${site.url}/slot-machine`);
    const spin = page.getByRole('button', { name: 'SPIN' });
    const cases = [
      [
        'insufficient-points',
        'insufficient points balance: 0',
        'Insufficient points balance! Please deposit more tokens.',
      ],
      ['bet-below-minimum', 'bet amount below minimum: 1', 'Minimum bet is 1 point.'],
      ['bet-above-maximum', 'bet amount exceeds maximum: 1000', 'Maximum bet is 1000 points.'],
      ['unknown', 'the moon is full', 'Game failed: the moon is full'],
    ] as const;
    for (const [error, message, words] of cases) {
      await respond(page, '/game/slot-machine/bet', { status: 400, message, data: { error } });
      await spin.click();
      await waitForText(page, words);
      await page.unroute('**/api/v1/game/slot-machine/bet');
    }
    await respond(page, '/game/slot-machine/bet', 'down');
    // So that the bet is not discarded by the page, which waits for 20 s.
    await page.clock.setFixedTime(Date.now());
    await spin.click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await waitForText(page, 'The bet of 1 was not placed. Nothing was staked.');
    await page.unroute('**/api/v1/game/slot-machine/bet');
    await spin.click();
    await landed(page);
  });

  it('exchange: too much, no valid result, a refusal, and a success', async () => {
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Exchange' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exchange' });
    const submit = dialog.getByRole('button', { name: 'Exchange' });
    const amount = dialog.getByRole('textbox');
    await amount.fill('5000');
    await waitForText(page, 'Insufficient points balance!');
    expect(await submit.isDisabled()).toBe(true);
    await amount.fill('100');
    await respond(page, '/transaction/exchange', { status: 200, message: 'ok', data: {} });
    await submit.click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await waitForText(page, 'The exchange of 100.00 points was not made. Nothing was moved.');
    await page.unroute('**/api/v1/transaction/exchange');
    await amount.fill('100');
    await respond(page, '/transaction/exchange', { status: 422, message: 'switched off' });
    await submit.click();
    await waitForText(page, 'Exchange failed: switched off. Please try again or contact support');
    await page.unroute('**/api/v1/transaction/exchange');
    await submit.click();
    await waitForText(page, 'Exchanged: you received 1.00 BSM.');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Exchange' }).click();
    await dialog.getByRole('tab', { name: 'BSM to points' }).click();
    await amount.fill('7');
    await waitForText(page, 'Insufficient token balance!');
  });

  it('games that are not open, an unread count that goes down, a list that does not load', async () => {
    await page.goto(`${site.url}/games`);
    await page.getByRole('button', { name: 'Poker' }).click();
    await waitForText(page, 'Poker coming soon!');
    await page.goto(`${site.url}/notifications`);
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('link', { name: 'Notifications, 0 unread' }).waitFor();
    await respond(page, '/user/leaderboard/*', { status: 404, message: 'gone' });
    await page.goto(`${site.url}/leaderboard`);
    await waitForText(page, 'This could not be loaded.');
    await page.unroute('**/api/v1/user/leaderboard/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This could not be loaded.').waitFor({ state: 'detached' });
  });

  it('another account in the wallet ends the session', async () => {
    await page.getByText('You are connected.').waitFor();
    await expect
      .poll(async () => {
        await wallet.switchAccount(page, 'So11111111111111111111111111111111111111112');
        return page.getByText('Your wallet switched to another account.').count();
      })
      .toBeGreaterThan(0);
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
  });
});

describe('failures of server and browser', () => {
  it('a rejected token ends the session, which is no failure of the app', async () => {
    await installWallet(context);
    await signIn(page, site.url);
    await page.evaluate(() => localStorage.setItem('token', 'refused'));
    // Another call ends the session before the check of the session has its answer.
    const refused = page.waitForResponse('**/api/v1/user/balance');
    await page.route('**/api/v1/user/profile', async (route) => {
      await (await refused).finished();
      await route.continue();
    });
    await page.goto(`${site.url}/profile`);
    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
    await page.getByRole('banner').getByRole('link', { name: 'Leaderboard' }).click();
    await page.getByRole('tab', { name: 'Most Wins' }).waitFor();
    expect(await page.getByText('Failed to initialize app').count()).toBe(0);
  });

  it('the error of a start ends with the session', async () => {
    await installWallet(context);
    await signIn(page, site.url);
    await respond(page, '/user/profile', 'down');
    await page.reload();
    const error = page.getByRole('alert').filter({ hasText: 'Failed to initialize app' });
    await error.waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).first().click();
    await error.waitFor({ state: 'detached' });
  });

  it.each(['down', 'invalid'] as const)('a failing server (%s) keeps the session', async (how) => {
    await installWallet(context);
    await signIn(page, site.url);
    await respond(page, '/user/profile', how);
    await page.reload();
    await waitForText(page, /The server cannot be reached|Failed to initialize app/);
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull();
    await page.unroute('**/api/v1/user/profile');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('a page that does not load, also after it was loaded again, can be reloaded', async () => {
    await page.goto(site.url);
    await page.evaluate(() => sessionStorage.setItem('reloaded_at', String(Date.now())));
    await page.route('**/assets/leaderboard-*.js', (route) => route.abort());
    await page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' }).first().click();
    await waitForText(page, 'This page did not load');
    await page.unroute('**/assets/leaderboard-*.js');
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  });

  it('an app whose texts do not load shows an error and a reload button', async () => {
    await page.route('**/assets/en-*.js', (route) => route.abort());
    await page.goto(site.url);
    await waitForText(page, 'Failed to initialize app');
  });

  it('with blocked storage the app works, and forgets the session with the tab', async () => {
    await page.addInitScript(() => {
      const blocked = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { get: blocked });
      Object.defineProperty(window, 'sessionStorage', { get: blocked });
    });
    await installWallet(context);
    await signIn(page, site.url);
    await page.getByRole('link', { name: 'Play slot machine' }).first().click();
    await page.getByRole('button', { name: 'SPIN' }).click();
    await landed(page);
  });

  it('signing out in one tab signs out in the other, and signing in signs in both', async () => {
    await installWallet(context);
    await signIn(page, site.url);
    const other = await context.newPage();
    await other.goto(`${site.url}/profile`);
    await other.locator('.holdings').waitFor();
    await page.getByLabel(/^Account /).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await other.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
    await signIn(page, site.url);
    await other.locator('.holdings').waitFor();
    expect(await page.locator('.holdings').isVisible()).toBe(true);
  });
});

it('a page opens the socket of its own site, and of no other', async () => {
  await page.goto(site.url);
  const open = (url: string) =>
    page.evaluate(
      (to) =>
        new Promise((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => {
            resolve(event.effectiveDirective);
          });
          new WebSocket(to).addEventListener('close', ({ code }) => {
            if (code === 4401) resolve(code);
          });
        }),
      url,
    );
  expect(await open(`${site.url.replace('http', 'ws')}/ws?token=dead`)).toBe(4401);
  expect(await open('wss://other.example/')).toBe('connect-src');
});
