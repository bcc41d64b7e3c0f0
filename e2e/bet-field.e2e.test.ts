/** The bet field takes exactly what is typed or shows an error, and only SPIN stakes. */
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
