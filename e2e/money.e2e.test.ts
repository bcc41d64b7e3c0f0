/** Messages when money does not move: every message of deposits, withdrawals and mini-games, in a real browser. */
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { fillWallet, respond, signIn, waitForSigning, waitForText } from './player.ts';
import { installWallet, newAddress, type TestWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

const LONG_MS = 60_000;
/** A valid signature format without a transaction. */
const HASH = '5'.repeat(88);
const NETWORK = 'Please check your network connection and backend service status.';

useSite();
useVisitor();

let wallet: TestWallet;
beforeEach(async () => {
  wallet = await installWallet(context);
  await signIn(page, site.url);
  await page.goto(`${site.url}/wallet`);
});

const panel = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });

async function deposit(amount: string): Promise<void> {
  const own = panel('Deposit');
  await own.getByRole('textbox').fill(amount);
  await own.getByRole('button', { name: 'Deposit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
}

async function report(amount: string, hash: string): Promise<void> {
  const own = panel('Manual deposit');
  await own.getByRole('textbox', { name: 'Amount (BSM)' }).fill(amount);
  await own.getByRole('textbox', { name: 'Transaction hash' }).fill(hash);
  await own.getByRole('button', { name: 'Report deposit' }).click();
}

async function exchangeAll(): Promise<void> {
  await page.getByRole('button', { name: 'Exchange' }).click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  await dialog.getByRole('textbox').fill('1000');
  await dialog.getByRole('button', { name: 'Exchange' }).click();
  await page.locator('.cabinet dd', { hasText: '10.00' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
}

describe('a deposit that is not sent', () => {
  it('below the minimum: no request to the wallet', async () => {
    const own = panel('Deposit');
    await own.getByRole('textbox').fill('0.5');
    await own.getByRole('button', { name: 'Deposit' }).click();
    await waitForText(page, 'Deposit amount is below the limit of 1 BSM per transaction.');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it.each([
    ['token-contract', { token_contract: null }, 'Token contract address is not configured.'],
    ['project-wallet', { project_wallet: null }, 'Project wallet address is not configured.'],
  ])('without a configured %s', async (path, data, words) => {
    await fillWallet(page);
    await respond(page, `/config/${path}`, { status: 200, message: 'success', data });
    await deposit('5');
    await waitForText(page, `${words} Please contact the project team to configure the`);
  });

  it('while configuration or chain are unreachable or return invalid data', async () => {
    await fillWallet(page);
    await respond(page, '/config/token-contract', 'down');
    await deposit('5');
    await page.getByText(`Deposit failed. ${NETWORK}`).waitFor({ timeout: LONG_MS });
    await page.unroute('**/api/v1/config/token-contract');
    await page.route('**/chain', (route) => route.abort());
    await page.reload();
    await deposit('5');
    await page.getByText(`Deposit failed. ${NETWORK}`).waitFor({ timeout: LONG_MS });
    await page.unroute('**/chain');
    await page.route('**/chain', (route) => route.fulfill({ status: 200, body: '<h1>Hi</h1>' }));
    await page.reload();
    await deposit('5');
    await page.getByText(/Deposit failed|Automatic deposit failed/).waitFor({ timeout: LONG_MS });
  });

  it('when the wallet has no SOL, crashes, shows another account, or is gone', async () => {
    await fillWallet(page);
    await wallet.behave(page, { sign: 'no-funds' });
    await deposit('5');
    await waitForText(page, 'Insufficient BSM tokens or SOL for transaction fees.');
    await wallet.behave(page, { sign: 'fail' });
    await deposit('5');
    await waitForText(page, 'Automatic deposit failed.');
    await wallet.behave(page, { sign: 'ok', connect: 'other-account' });
    await deposit('5');
    await waitForText(page, 'Wallet not connected.');
    await wallet.leave(page);
    await deposit('5');
    await waitForText(page, 'Please connect your wallet first');
  });

  it('a wallet that never responds can be cancelled, and one that disappears ends the wait', async () => {
    await fillWallet(page);
    await wallet.behave(page, { sign: 'never' });
    await deposit('5');
    await waitForSigning(page);
    await page.getByRole('button', { name: 'Stop waiting' }).click();
    await waitForText(page, 'Transaction was cancelled by user.');
    await deposit('5');
    await waitForSigning(page);
    await wallet.leave(page);
    await waitForText(page, 'Wallet not connected.');
    await expect.poll(() => panel('Deposit').getByRole('textbox').isEnabled()).toBe(true);
  });
});

describe('the fields of the wallet', () => {
  it('refuse a deposit above what the wallet holds, before the dialog', async () => {
    const own = panel('Deposit');
    const amount = own.getByRole('textbox');
    await amount.fill('5');
    await own.getByText('You have 0.00 BSM in your wallet.').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    await fillWallet(page);
    await amount.fill('100.5');
    await own.getByRole('button', { name: 'Deposit' }).click();
    await own.getByText('You have 100.00 BSM in your wallet.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('refuse addresses that are no wallets, and show no gain of what cannot be sent', async () => {
    await exchangeAll();
    const own = panel('Withdraw');
    const [amount, to] = [own.getByLabel('Amount (BSM)'), own.getByLabel('To wallet address')];
    const submit = own.getByRole('button', { name: 'Withdraw' });
    const receives = own.locator('dt', { hasText: 'You receive' }).locator('xpath=..');
    await amount.fill('999');
    await own.getByText('Insufficient token balance!').waitFor();
    expect(await receives.textContent()).toBe('You receive–');
    await amount.fill('0.5');
    await own.getByText('The minimum withdrawal is 1.00 BSM.').waitFor();
    expect(await receives.textContent()).toBe('You receive–');
    await amount.fill('5');
    expect(await receives.textContent()).toBe('You receive4.75 BSM');
    const [mint, treasury] = await page.evaluate(async () => {
      const read = async (name: string) =>
        (await (await fetch(`/api/v1/config/${name}`)).json()).data;
      const [token, project] = await Promise.all([read('token-contract'), read('project-wallet')]);
      return [token.token_contract, project.project_wallet] as const;
    });
    for (const address of ['1'.repeat(32), mint]) {
      await to.fill(address);
      await own.getByText('This is not a wallet:').waitFor();
      expect(await submit.isDisabled()).toBe(true);
      await to.fill(wallet.address);
      await own.getByText('This is not a wallet:').waitFor({ state: 'detached' });
    }
    await to.fill(treasury);
    await own.getByText('This is the wallet of the site.').waitFor();
    await expectAccessible(page, 'an address that is no wallet');
    await to.fill(newAddress());
    await expect.poll(() => submit.isEnabled()).toBe(true);
  });
});

describe('a deposit that is reported', () => {
  it('manual: invalid amount and hash, a refusal by the server, no server', async () => {
    await report('0', HASH);
    await waitForText(page, 'Please enter a valid deposit amount');
    await report('1000000.1', HASH);
    await waitForText(page, 'Deposit amount exceeds the limit of 1,000,000 BSM per transaction.');
    await report('5', ` ${'h'.repeat(31)} `);
    await waitForText(page, 'Please enter a valid transaction hash (at least 32 characters)');
    await report('0.5', HASH);
    await waitForText(page, 'Manual deposit failed: the amount is below the limit of 1 BSM');
    await report('5', '0'.repeat(40));
    await waitForText(page, /^Manual deposit failed: .*(hash|signature)/);
    await respond(page, '/transaction/deposit', {
      status: 400,
      message: 'amount exceeds maximum deposit of 1000000 BSM in one transaction',
      data: { error: 'deposit-above-maximum', token: 1_000_000 },
    });
    await report('5', HASH);
    await waitForText(page, 'Manual deposit failed: the amount exceeds the limit of 1,000,000 BSM');
    await page.unroute('**/api/v1/transaction/deposit');
    await respond(page, '/transaction/deposit', 'down');
    await report('5', HASH);
    await waitForText(page, 'The report is not confirmed yet: the server does not respond.');
  });
});

describe('a withdrawal to another wallet', () => {
  const own = () => panel('Withdraw');
  const ask = async () => {
    await own().getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
  };
  const to = newAddress();
  const shortTo = `${to.slice(0, 4)}…${to.slice(-4)}`;
  const requested = `Withdrawal requested: 4.75 BSM will be sent to ${shortTo}.`;
  const unsigned = () => page.getByRole('dialog', { name: 'Withdraw without a signature?' });
  beforeEach(async () => {
    await exchangeAll();
    await own().getByRole('textbox', { name: 'Amount (BSM)' }).fill('5');
    await own().getByRole('textbox', { name: 'To wallet address' }).fill(to);
    await waitForText(page, /Your wallet asks you to sign the amount and the address/);
  });

  it('is paid without a review if the wallet signs it', async () => {
    await picture(page, 'wallet-elsewhere');
    await own().getByRole('button', { name: 'Withdraw' }).click();
    const review = page.getByRole('dialog', { name: 'Review withdrawal' });
    await review.getByText(to).waitFor();
    await review.getByText('This address receives').waitFor();
    await review.getByRole('button', { name: 'Cancel' }).click();
    await ask();
    await waitForText(page, requested);
    await page.getByRole('heading', { name: 'Withdrawal', exact: true }).waitFor();
    await page
      .locator('main')
      .getByText('completed', { exact: true })
      .waitFor({ timeout: LONG_MS });
    await waitForText(page, 'Signed by your wallet.');
    await waitForText(page, to);
    expect(await page.locator('main').getByText('You receive').count()).toBe(0);
    await page.getByRole('link', { name: '‹ Wallet' }).click();
    const row = page.locator('.statement-row', { hasText: 'Withdrawal' }).first();
    await row.getByTitle(to).getByText(`to ${shortTo}`).waitFor();
    expect(await own().getByRole('textbox', { name: 'Amount (BSM)' }).inputValue()).toBe('');
    const address = own().getByRole('textbox', { name: 'To wallet address' });
    expect(await address.inputValue()).toBe(wallet.address);
    await picture(page, 'wallet-elsewhere-row');
    await page.goto(`${site.url}/notifications`);
    await page.getByTitle(to).getByText(`4.75 BSM arrived at ${shortTo}.`).waitFor();
    expect(
      await page
        .locator('main')
        .getByText(/your wallet/i)
        .count(),
    ).toBe(0);
    await picture(page, 'notifications-elsewhere');
    expect(await unsigned().count()).toBe(0);
  });

  it('sends nothing if the player declines, who chooses between review, signing and neither', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/transaction/withdraw')) sent.push(request.postData() ?? '');
    });
    await wallet.behave(page, { sign: 'reject' });
    await ask();
    await unsigned().waitFor();
    await picture(page, 'wallet-unsigned');
    await expectAccessible(page, 'a withdrawal without a signature');
    await page.keyboard.press('Escape');
    await unsigned().waitFor({ state: 'detached' });
    expect(sent).toEqual([]);

    await wallet.behave(page, { sign: 'never' });
    await ask();
    await own().getByRole('button', { name: 'Stop waiting' }).click();
    await unsigned().getByRole('button', { name: 'Send for review' }).click();
    await waitForText(page, requested);
    const fields = sent.map((body) => Object.keys(JSON.parse(body)));
    expect(fields).toEqual([['amount', 'to_address', 'fee_rate']]);
  });
});

describe('a withdrawal that fails', () => {
  it('shows the heading, the reason and the next step, and withdraws nothing', async () => {
    const own = panel('Withdraw');
    const ask = async () => {
      await own.getByRole('button', { name: 'Withdraw' }).click();
      await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
    };
    await exchangeAll();
    await own.getByRole('textbox', { name: 'Amount (BSM)' }).fill('11');
    await waitForText(page, 'Insufficient token balance!');
    expect(await own.getByRole('button', { name: 'Withdraw' }).isDisabled()).toBe(true);
    await own.getByRole('textbox', { name: 'Amount (BSM)' }).fill('10');
    await own.getByRole('textbox', { name: 'To wallet address' }).fill('not an address');
    await waitForText(page, 'This is not a Solana address.');
    expect(await own.getByRole('button', { name: 'Withdraw' }).isDisabled()).toBe(true);
    await own.getByRole('textbox', { name: 'To wallet address' }).fill(wallet.address);
    await own.getByRole('button', { name: 'Withdraw' }).click();
    const review = page.getByRole('dialog', { name: 'Review withdrawal' });
    await review.getByText(wallet.address).waitFor();
    for (const amount of ['10.00 BSM', '0.50 BSM', '9.50 BSM'])
      await review.getByText(amount).waitFor();
    await expectAccessible(page, 'the review of a withdrawal');
    await picture(page, 'wallet-review');
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'wallet-review-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await review.getByRole('button', { name: 'Cancel' }).click();
    await review.waitFor({ state: 'detached' });
    await respond(page, '/transaction/withdraw', { status: 422, message: 'switched off' });
    await ask();
    await waitForText(page, 'Withdrawal failed: switched off. Please try again or contact support');
    await page.unroute('**/api/v1/transaction/withdraw');
    await ask();
    await waitForText(page, 'Withdrawal requested: you will receive 9.50 BSM.');
  });
});

describe('a mini-game, in Chinese', () => {
  const start = () => page.getByRole('button', { name: '开始游戏' }).click();

  it('that does not start, whose result is not submitted, and with too few points', async () => {
    await page.goto(`${site.url}/snake`);
    await respond(page, '/game/snake/start', { status: 422, message: 'busy' });
    await start();
    await waitForText(page, '游戏开始失败，请重试。');
    await page.unroute('**/api/v1/game/snake/start');

    await respond(page, '/game/snake/play', { status: 422, message: 'no' });
    await start();
    await page.getByText('游戏结果提交失败，请重试。').waitFor({ timeout: LONG_MS });
    await page.unroute('**/api/v1/game/snake/play');
    await page.getByRole('button', { name: '重新提交结果' }).click();
    await page.getByText('游戏结束').first().waitFor({ timeout: LONG_MS });

    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Exchange' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exchange' });
    await dialog.getByRole('button', { name: 'MAX' }).click();
    await dialog.getByRole('button', { name: 'Exchange' }).click();
    await waitForText(page, /Exchanged: you received/);
    await page.goto(`${site.url}/tetris`);
    await start();
    await waitForText(page, '积分不足！');
  });
});
