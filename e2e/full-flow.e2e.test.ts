/** A player with their own wallet: connect, faucet, deposit, exchange, play, prove, withdraw. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { picture, visit } from './browser.ts';
import { landed, respond, signIn, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;

useSite();

const balance = (page: Page, which: 'token' | 'points') =>
  page
    .locator('.holdings dd')
    .nth(which === 'token' ? 0 : 1)
    .textContent();

async function deposit(page: Page, amount: string): Promise<void> {
  const panel = page.locator('section', {
    has: page.getByRole('heading', { name: 'Deposit', exact: true }),
  });
  await panel.getByRole('textbox').fill(amount);
  await panel.getByRole('button', { name: 'Deposit' }).click();
}

it('goes from connect to withdrawal', async () => {
  const { context, page, faults } = await visit(browser, 'desktop', { moving: true });
  const wallet = await installWallet(context);
  await signIn(page, site.url);
  // While the figure of the wallet may be old, the chain decides.
  const old = { wallet_address: wallet.address, balance: 0, stale: true };
  await respond(page, '/user/wallet-balance', { status: 200, message: 'success', data: old });
  await page.goto(`${site.url}/wallet`);

  await deposit(page, '0');
  await waitForText(page, 'Please enter a valid deposit amount');
  await deposit(page, '1000001');
  await waitForText(page, 'Deposit amount exceeds the limit of 1,000,000 BSM per transaction.');
  await deposit(page, '25');
  await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
  await waitForText(page, 'You do not have a BSM token account.');

  await page.getByRole('button', { name: 'Fill my wallet' }).click();
  await waitForText(page, /Your wallet received .* play BSM/);
  await deposit(page, '900000');
  await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
  await waitForText(
    page,
    /Insufficient BSM token balance\. Required: 900000 BSM, Available: .* BSM\./,
  );
  await page.unroute('**/api/v1/user/wallet-balance');

  await wallet.behave(page, { sign: 'reject' });
  await deposit(page, '25');
  await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
  await waitForText(page, 'Transaction was cancelled by user.');
  await wallet.behave(page, { sign: 'ok' });

  await deposit(page, '25');
  await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
  await page.getByText('Your deposit is credited.').first().waitFor({ timeout: LONG_MS });
  // What happened to it stays on the page.
  await page
    .getByRole('link', { name: 'Your deposit of 25.00 BSM: steps and transaction' })
    .waitFor();
  await expect.poll(() => balance(page, 'token'), { timeout: LONG_MS }).toBe('25.00');
  await picture(page, 'wallet-deposited');

  await page.getByRole('button', { name: 'Exchange' }).click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  // Not the close button, which Enter would press.
  const isFocused = (one: Element) => one === document.activeElement;
  await expect.poll(() => dialog.getByRole('textbox').evaluate(isFocused)).toBe(true);
  await dialog.getByRole('tab', { name: 'BSM to points' }).click();
  await dialog.getByRole('textbox').fill('5');
  await dialog.getByRole('button', { name: 'Exchange' }).click();
  await waitForText(page, 'Exchanged: you received 500.00 points.');
  await expect.poll(() => balance(page, 'points')).toBe('1,500.00');

  await page.goto(`${site.url}/slot-machine`);
  await page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await landed(page);

  for (const game of ['tetris', 'snake', 'minesweeper']) await playMiniGame(page, game);
  await proveLast(page);

  await page.goto(`${site.url}/wallet`);
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Withdraw' }) });
  await panel.getByRole('textbox', { name: 'Amount (BSM)' }).fill('10');
  await waitForText(page, '9.50 BSM');
  await panel.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await waitForText(page, 'Withdrawal requested: you will receive 9.50 BSM.');
  await expect.poll(() => balance(page, 'token')).toBe('10.00');
  // The page of the withdrawal.
  await page.getByRole('heading', { name: 'Withdrawal', exact: true }).waitFor();
  await page.locator('main').getByText('completed', { exact: true }).waitFor({ timeout: LONG_MS });
  await page.getByRole('link', { name: '‹ Wallet' }).click();
  const row = page.locator('.statement-row', { hasText: 'Withdrawal' }).first();
  await expect
    .poll(() => row.textContent(), { timeout: LONG_MS })
    .not.toMatch(/pending|approved|processing/);
  await expect.poll(() => row.textContent()).toContain('−10.00');
  await picture(page, 'wallet-withdrawn');
  expect(await levelOfLast(page, 'withdraw')).toBe('finalized');
  // On the chain, 25 of the faucet's 100 BSM left the wallet and 9.50 came back.
  await page.getByRole('button', { name: 'Refresh the wallet balance' }).click();
  const onChain = page.locator('.cabinet dd').nth(2);
  await expect.poll(() => onChain.textContent(), { timeout: LONG_MS }).toContain('84.50');
  expect(faults).toEqual([]);
  await context.close();
});

/** In Chinese, the default until a language is chosen; the round ends automatically. */
async function playMiniGame(page: Page, game: string): Promise<void> {
  await page.goto(`${site.url}/${game}`);
  await page.locator('[lang="zh-CN"]').getByRole('button', { name: '开始游戏' }).click();
  await page.getByText('游戏结束').first().waitFor({ timeout: LONG_MS });
  await picture(page, `${game}-over`);
  await page.getByRole('button', { name: '再玩一局' }).waitFor();
}

/** Downloads the receipt of the last round, and checks its proof in the browser after the reveal. */
async function proveLast(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^(Open the proof|打开位置)/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download receipt' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^receipt-.+\.json$/);
  await dialog.getByRole('button', { name: 'Reveal and verify' }).click();
  await dialog.getByText('verified in your browser').waitFor();
}

it('the audit of what was played and paid is clean', async () => {
  const audit = await site.run('audit');
  expect(audit.output).toContain('CLEAN');
  expect(audit.code).toBe(0);
});

/** Confirmation status of the newest such transaction, read from the chain. */
async function levelOfLast(page: Page, type: string): Promise<string | undefined> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const listed = await fetch(`${site.url}/api/v1/user/transactions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const items: { type: string; extra_data: string }[] = (await listed.json()).data.items;
  const { signature } = JSON.parse(items.find((one) => one.type === type)?.extra_data ?? '{}');
  const response = await fetch(`${site.url}/chain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getSignatureStatuses',
      params: [[signature], { searchTransactionHistory: true }],
    }),
  });
  return (await response.json()).result.value[0]?.confirmationStatus;
}
