import { faces, pathOf } from '@reelbook/games/faces';
import type { Page } from 'playwright-core';
import type { Site } from './site.ts';
import { TEST_WALLET } from './test-wallet.ts';

/** All pages of the player app. */
export const PAGES = [
  '/',
  '/games',
  ...faces.map(pathOf),
  '/wallet',
  '/profile',
  '/leaderboard',
  '/notifications',
  '/history',
  '/fairness',
  '/limits',
  '/my-data',
];

/** Opens the app and signs in with the test wallet, which must be installed. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await openConnect(page);
  await page.getByRole('button', { name: TEST_WALLET }).click();
  await page.locator('.holdings').waitFor();
}

export async function openConnect(page: Page): Promise<void> {
  // A press during the replacement of the first paint is lost; failures.e2e presses before it.
  await page.locator('.first-paint').waitFor({ state: 'detached' });
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('dialog').waitFor();
}

/** Waits for a toast, a banner or any text that matches. */
export async function waitForText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Waits until the wallet is requested to sign the deposit: all steps are listed from the first one on. */
export async function waitForSigning(page: Page): Promise<void> {
  await page.locator('[aria-current="step"]', { hasText: 'Waiting for your signature' }).waitFor();
}

/** Waits for the result line under the reels: it stays, while the dialog over the reels soon closes. */
export async function landed(page: Page): Promise<void> {
  await page.locator('.result-line', { hasText: /You win|Try again!|Jackpot/ }).waitFor();
}

/** Answers one API path in place of the server; a number is a refusal with that status and message. */
export async function respond(
  page: Page,
  path: string,
  reply: { status: number; message: string; data?: unknown } | 'invalid' | 'down',
): Promise<void> {
  await page.route(`**/api/v1${path}`, async (route) => {
    if (reply === 'down') await route.abort();
    else if (reply === 'invalid') {
      await route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' });
    } else {
      const { status, message, data = null } = reply;
      await route.fulfill({ status, json: { code: status, message, data } });
    }
  });
}

/** What the API returns to the player on this page. */
export async function ask<Data>(page: Page, path: string): Promise<Data> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const url = new URL(`/api/v1${path}`, page.url());
  const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return (await reply.json()).data;
}

/** An exchange of 200 points or more, from the wallet page. */
export const exchange = {
  kind: 'exchange',
  call: '**/api/v1/transaction/exchange',
  amount: '200.00 points',
  done: 'Exchanged: you received 2.00 BSM.',
  async send(page: Page, points = '200') {
    await page.getByRole('button', { name: 'Exchange', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Exchange' });
    await dialog.getByRole('textbox').fill(points);
    await dialog.getByRole('button', { name: 'Exchange' }).click();
  },
} as const;

/** A withdrawal of 5 BSM to the own wallet. */
export const withdrawal = {
  kind: 'withdrawal',
  call: '**/api/v1/transaction/withdraw',
  amount: '5.00 BSM',
  done: 'Withdrawal requested: you will receive 4.75 BSM.',
  async send(page: Page) {
    const panel = page.locator('section', {
      has: page.getByRole('heading', { name: 'Withdraw', exact: true }),
    });
    await panel.getByRole('textbox', { name: 'Amount (BSM)' }).fill('5');
    await panel.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  },
} as const;

/** A deposit of 5 BSM from the wallet page, whose own wallet must be filled. */
export const deposit = {
  panel: (page: Page) =>
    page.locator('section', { has: page.getByRole('heading', { name: 'Deposit', exact: true }) }),
  amount: (page: Page) => deposit.panel(page).getByRole('textbox'),
  async send(page: Page) {
    await deposit.amount(page).fill('5');
    await deposit.panel(page).getByRole('button', { name: 'Deposit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
  },
};

/** Fills the player's own wallet with 100 BSM. */
export async function fillWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Fill my wallet' }).click();
  await waitForText(page, /Your wallet received .* play BSM/);
  await page.locator('.cabinet dd', { hasText: '100.00' }).waitFor();
}

interface Round {
  readonly round_id: string;
  readonly bet_amount: number;
  readonly win_amount: number;
  readonly symbols: readonly (readonly number[])[];
}

/** All slot rounds of the player on this page that the ledger has now, as the API returns them. */
export async function slotHistory(
  site: Site,
  page: Page,
): Promise<{ items: readonly Round[]; total: number }> {
  await site.caughtUp();
  return ask(page, '/game/slot-machine/history');
}

/** The client seeds that this browser chose and stored, newest first. */
export async function chosenSeeds(page: Page): Promise<string[]> {
  const kept = await page.evaluate(() => localStorage.getItem('client_seeds'));
  return JSON.parse(kept ?? '[]').map(({ clientSeed }: { clientSeed: string }) => clientSeed);
}

/** The client seeds of the player's slot rounds, from their receipts. */
export async function drawnFrom(site: Site, page: Page): Promise<string[]> {
  const { items } = await slotHistory(site, page);
  const receipts = items.map(({ round_id }) =>
    ask<{ client_seed: string }>(page, `/fairness/rounds/${round_id}/receipt`),
  );
  return (await Promise.all(receipts)).map(({ client_seed }) => client_seed);
}
