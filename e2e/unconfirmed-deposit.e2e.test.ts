/** A deposit that is cut at any point: it is sent once, never called failed while that is unknown, and shown as the ledger has it. */
import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { ask, deposit, fillWallet, respond, signIn, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

const LONG_MS = 60_000;
const EXPIRY_MS = 240_000;
const REPORT = '/transaction/deposit';
const CREDITED = 'Your deposit is credited.';
const EXPIRED =
  'The deposit of 5.00 BSM was not made: it did not reach the chain in time. Nothing was taken; you can deposit again.';

beforeEach(async () => {
  await installWallet(context);
  await signIn(page, site.url);
  await page.goto(`${site.url}/wallet`);
  await fillWallet(page);
});

const amount = (where: Page = page) => deposit.amount(where);
const notice = (where: Page = page) =>
  deposit.panel(where).getByRole('alert').filter({ hasText: 'Your deposit of 5.00 BSM at' });
const failures = () => page.locator('.toast', { hasText: 'failed' }).count();
const onChain = async () => (await ask<{ balance: number }>(page, '/user/wallet-balance')).balance;
/** In the game, by the ledger. */
const credited = async () =>
  (await ask<{ token_balance: number }>(page, '/user/balance')).token_balance;

/** Routes the transactions that the page sends to the chain through `cut`, and counts them. */
async function cutSending(cut: (route: Route) => Promise<void>): Promise<{ sent: number }> {
  const count = { sent: 0 };
  await context.route('**/chain', async (route) => {
    if (!route.request().postData()?.includes('sendTransaction')) return route.fallback();
    count.sent += 1;
    await cut(route);
  });
  return count;
}
const abort = (route: Route) => route.abort();
async function abortAfter(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

async function expectHeldBack(where: Page = page): Promise<void> {
  await notice(where).waitFor();
  expect(await amount(where).isDisabled()).toBe(true);
  await deposit.panel(where).getByRole('button', { name: 'Depositing…' }).click({ force: true });
  expect(await where.getByRole('dialog').count()).toBe(0);
}

async function expectCredited(count = 1): Promise<void> {
  await page.getByText(CREDITED).first().waitFor({ timeout: LONG_MS });
  await notice().waitFor({ state: 'detached' });
  expect([await amount().inputValue(), await amount().isEnabled()]).toEqual(['', true]);
  expect(await failures()).toBe(0);
  expect(await credited()).toBe(5 * count);
  await expect.poll(onChain, { timeout: LONG_MS }).toBe(100 - 5 * count);
}

describe('cut before it is sent', () => {
  it('holds back another, also after a reload, until it has expired: then it may be tried again', async () => {
    const count = await cutSending(abort);
    await deposit.send(page);
    await notice().getByText('not final on the chain yet.').waitFor();
    await expectAccessible(page, 'an unconfirmed deposit');
    await picture(page, 'unconfirmed-deposit');
    await expectHeldBack();
    await page.reload();
    await expectHeldBack();
    const row = page.locator('.statement-row', { hasText: 'Deposit' }).first();
    await row.getByText('5.00').waitFor();
    // No gain before the credit.
    expect(await row.getByText('+5.00').count()).toBe(0);
    expect(await row.locator('.text-mint').count()).toBe(0);
    // A minute of blocks.
    await page.getByText(EXPIRED).waitFor({ timeout: EXPIRY_MS });
    await notice().waitFor({ state: 'detached' });
    expect([count.sent, await failures(), await credited(), await onChain()]).toEqual([
      1, 0, 0, 100,
    ]);
    await context.unroute('**/chain');
    await deposit.send(page);
    await expectCredited();
  });

  it('by the check of the node, it is refused at once', async () => {
    await cutSending(async (route) => {
      const message = 'Transaction simulation failed: Insufficient funds for fee';
      const { id } = route.request().postDataJSON();
      await route.fulfill({ json: { jsonrpc: '2.0', id, error: { code: -32002, message } } });
    });
    await deposit.send(page);
    await waitForText(page, 'Insufficient BSM tokens or SOL for transaction fees.');
    await expect.poll(() => amount().isEnabled()).toBe(true);
    expect(await notice().count()).toBe(0);
  });
});

describe('cut after it is sent', () => {
  it('before the answer of the chain: it is credited, and sent once', async () => {
    const count = await cutSending(abortAfter);
    await deposit.send(page);
    await expectCredited();
    expect(count.sent).toBe(1);
  });

  it('by an answer of the chain that never comes', async () => {
    await cutSending(async (route) => {
      await route.fetch();
      await new Promise(() => {});
    });
    await deposit.send(page);
    await expectCredited();
  });

  it('and refused by a second node, which has it already', async () => {
    await cutSending(async (route) => {
      await route.fetch();
      const { id } = route.request().postDataJSON();
      const message = 'Transaction simulation failed: This transaction has already been processed';
      await route.fulfill({ json: { jsonrpc: '2.0', id, error: { code: -32002, message } } });
    });
    await deposit.send(page);
    await expectCredited();
  });

  it('before every report and every query of the payment: the credit clears them', async () => {
    await respond(page, REPORT, 'down');
    await page.route('**/api/v1/user/payments/**', (route) => route.abort());
    await deposit.send(page);
    await expectCredited();
  });

  it('before every answer but the live channel: the credit clears them', async () => {
    await respond(page, REPORT, 'down');
    for (const path of ['payments/**', 'transactions*']) {
      await page.route(`**/api/v1/user/${path}`, (route) => route.abort());
    }
    await deposit.send(page);
    await expectCredited();
  });

  it('before the report, over a reload: it is reported again without a press', async () => {
    await respond(page, REPORT, 'down');
    for (const path of ['payments/**', 'transactions*']) {
      await page.route(`**/api/v1/user/${path}`, (route) => route.abort());
    }
    await page.routeWebSocket(/\/ws/, (socket) => void socket.close({ code: 1011 }));
    await page.reload();
    await deposit.send(page);
    await notice().getByText('the server does not respond.').waitFor();
    await page.reload();
    await notice().getByText('the server does not respond.').waitFor();
    await expectHeldBack();
    await page.unroute(`**/api/v1${REPORT}`);
    await expectCredited();
  });

  it('before every report: the credit clears notice, form and toasts', async () => {
    await respond(page, REPORT, 'down');
    await deposit.send(page);
    await expectCredited();
  });

  it('before the answer of the report', async () => {
    await context.route(`**/api/v1${REPORT}`, abortAfter);
    await deposit.send(page);
    await expectCredited();
  });

  it('a refused report is no failure of the deposit, which is credited', async () => {
    await respond(page, REPORT, {
      status: 400,
      message: 'amount exceeds maximum deposit of 4 BSM',
    });
    await deposit.send(page);
    await expectCredited();
    expect(await page.getByText(/exceeds/).count()).toBe(0);
  });

  it('while another page is open: its credit is found on return', async () => {
    await cutSending(abortAfter);
    await respond(page, REPORT, 'down');
    await deposit.send(page);
    await notice().waitFor();
    await page.goto(`${site.url}/profile`);
    await expect.poll(credited).toBe(5);
    await page.goto(`${site.url}/wallet`);
    await expectCredited();
  });
});

it('is not called unconfirmed while the answer to its first report is awaited', async () => {
  let [isAsked, answer] = [false, () => {}];
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route(`**/api/v1${REPORT}`, async (route) => {
    isAsked = true;
    await answered;
    await route.continue();
  });
  await deposit.send(page);
  await expect.poll(() => isAsked, { timeout: LONG_MS }).toBe(true);
  await page.locator('[aria-current="step"]', { hasText: 'Reporting the deposit' }).waitFor();
  expect(await notice().count()).toBe(0);
  answer();
  await expectCredited();
});

it('in two tabs: the second waits for the first, and its wallet signs nothing', async () => {
  const count = await cutSending(abort);
  const other = await context.newPage();
  await other.goto(`${site.url}/wallet`);
  await amount(other).waitFor();
  await deposit.send(page);
  await notice().waitFor();
  await deposit.send(other);
  await expectHeldBack(other);
  expect(count.sent).toBe(1);
});

it('a manual report without any answer is cleared by the credit', async () => {
  await cutSending(abortAfter);
  await respond(page, REPORT, 'down');
  await page.route('**/api/v1/user/payments/**', (route) => route.abort());
  await deposit.send(page);
  const stored = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('pending_deposit') ?? '{}').hash);
  await expect.poll(stored).toBeTruthy();
  const hash = await stored();
  const manual = page.locator('section', {
    has: page.getByRole('heading', { name: 'Manual deposit' }),
  });
  await manual.getByRole('textbox', { name: 'Amount (BSM)' }).fill('5');
  await manual.getByRole('textbox', { name: 'Transaction hash' }).fill(hash);
  await manual.getByRole('button', { name: 'Report deposit' }).click();
  await expectCredited();
  await expect.poll(() => manual.getByLabel('Transaction hash').inputValue()).toBe('');
  expect(await manual.getByRole('status').count()).toBe(0);
});

it('a stored report of a transaction that does not exist is never shown as a success', async () => {
  const manual = page.locator('section', {
    has: page.getByRole('heading', { name: 'Manual deposit' }),
  });
  await respond(page, REPORT, 'down');
  await manual.getByRole('textbox', { name: 'Amount (BSM)' }).fill('5');
  await manual.getByRole('textbox', { name: 'Transaction hash' }).fill('5'.repeat(87));
  await manual.getByRole('button', { name: 'Report deposit' }).click();
  await manual.getByText('The report is not confirmed yet: the server does not respond.').waitFor();
  await page.unroute(`**/api/v1${REPORT}`);
  const toast = page.locator('.toast', { hasText: 'Deposit pending' });
  await toast.waitFor();
  expect(await toast.locator('.bg-mint').count()).toBe(0);
  await expect.poll(() => manual.getByLabel('Transaction hash').inputValue()).toBe('');
  const row = page.locator('.statement-row', { hasText: 'pending' }).first();
  await row.waitFor();
  expect(await row.locator('.text-mint').count()).toBe(0);
});
