/** The bet field and the amount fields take exactly what is typed or show an error; only SPIN stakes. */
import { beforeEach, expect, it } from 'vitest';
import { landed, signIn, slotHistory, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

const NOT_INTEGER = 'The bet must be an integer, for example 10.';
const NOT_INTEGER_CHINESE = '投注必须是整数积分，例如 10。';
const WRONG = [
  ['5000', 'Insufficient balance! You have 1,000.00 points.'],
  ['0', 'Minimum bet is 1 point.'],
  ['', NOT_INTEGER],
  ['1.5', NOT_INTEGER],
  ['1e2', NOT_INTEGER],
] as const;

useSite();
useVisitor();

beforeEach(async () => {
  await installWallet(context);
  await signIn(page, site.url);
  await page.goto(`${site.url}/slot-machine`);
  await page.locator('.holdings').getByText('1,000.00').waitFor();
});

const field = () => page.getByRole('textbox', { name: 'Bet' });
const spin = () => page.getByRole('button', { name: 'SPIN', exact: true });
const staked = async () => (await slotHistory(site, page)).items.map((round) => round.bet_amount);

it('Enter in the bet field does not stake', async () => {
  await field().fill('5');
  await field().press('Enter');
  await spin().click();
  await landed(page);
  expect(await staked()).toEqual([5]);
});

it('5000 with 1,000 points, 1.5 and 1e2 stake nothing', async () => {
  for (const [typed, why] of WRONG) {
    await field().fill(typed);
    await field().press('Enter');
    await page.getByRole('alert').filter({ hasText: why }).waitFor();
    // `aria-disabled`, but it can be pressed.
    await spin().click({ force: true });
    expect(await field().inputValue()).toBe(typed);
  }
  const footer = page.locator('footer');
  await footer.getByRole('button', { name: '中文' }).click();
  await waitForText(page, NOT_INTEGER_CHINESE);
  await footer.getByRole('button', { name: 'English' }).click();
  // Without Enter: SPIN commits the field first.
  await field().fill('7');
  await spin().click();
  await landed(page);
  expect(await staked()).toEqual([7]);
});

it('every amount field keeps what was typed, and refuses in words what is no amount', async () => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/(transaction|user)\//.test(request.url()) && request.method() !== 'GET')
      sent.push(`${request.url()} ${request.postData()}`);
  });
  await page.goto(`${site.url}/wallet`);
  const panel = (name: string) =>
    page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
  // Pressed all the same, the deposit has the text of the specification.
  const refused = () =>
    page.getByText(/Not an amount\. Write it like 1,000\.50\.|a valid deposit/).first();
  const amounts = [
    [panel('Deposit').getByRole('textbox'), 'Deposit'],
    [panel('Withdraw').getByRole('textbox', { name: 'Amount (BSM)' }), 'Withdraw'],
    [panel('Manual deposit').getByRole('textbox', { name: 'Amount (BSM)' }), 'Report deposit'],
    [page.getByRole('dialog').getByRole('textbox'), 'Exchange'],
    [page.getByRole('textbox', { name: /^Maximum/ }), 'Set limit'],
  ] as const;
  for (const [field, action] of amounts) {
    if (action === 'Exchange') {
      await page.getByRole('button', { name: 'Exchange', exact: true }).click();
    }
    if (action === 'Set limit') await page.goto(`${site.url}/limits`);
    await field.waitFor();
    for (const typed of ['-5', '1,5', '1e2', '1/2', '1.2.3', '5 BSM']) {
      await field.fill('');
      await field.pressSequentially(typed);
      expect(await field.inputValue(), action).toBe(typed);
      await refused().waitFor();
      await field.press('Enter');
    }
    for (const typed of ['1,000', '1。5', '１２', '1٫5']) {
      await field.fill('');
      await page.keyboard.insertText(typed);
      expect(await field.inputValue(), action).toBe(typed);
      await page.getByText('Not an amount. Write it like 1,000.50.').waitFor({ state: 'detached' });
    }
  }
  expect(sent).toEqual([]);
  // 1.5 points as it was typed on a Chinese keyboard.
  await page.goto(`${site.url}/wallet`);
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('1。5');
  await page.getByRole('dialog').getByRole('button', { name: 'Exchange' }).click();
  await waitForText(page, 'Exchanged: you received 0.015 BSM.');
  expect(sent).toEqual([expect.stringContaining('"amount":1.5')]);
});
