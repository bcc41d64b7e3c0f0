/** Explained balances, account pages and the margin with all its terms. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

useSite();

let player: GivenPlayer;
let page: Page;
let faults: string[];
/** Position of the request of a withdrawal of 10 BSM. */
let requested: number;

beforeAll(async () => {
  player = await givePlayer(site);
  await player.withdraw(10);
  [page, faults] = await enterConsole(browser, site.console.links[0]);
});

const goto = (path: string) => page.goto(site.console.url + path);

/** `1,042.50` or `−5.0001` in units of 1e-9. */
function minorOf(text: string): bigint {
  const [, sign, integer = '0', decimals = ''] = /([+−]?)([\d,]+)\.(\d+)/.exec(text) ?? [];
  const minor = BigInt(integer.replaceAll(',', '') + decimals.padEnd(9, '0'));
  return sign === '−' ? -minor : minor;
}

async function expectAddsUp(statement: ReturnType<Page['getByTestId']>): Promise<void> {
  await statement.waitFor();
  const figures = (await statement.locator('.ledger-line').allInnerTexts()).map((text) =>
    minorOf(text.split('\n').at(-1) ?? ''),
  );
  expect(figures.length).toBeGreaterThan(2);
  expect(figures.slice(0, -1).reduce((sum, one) => sum + one, 0n)).toBe(figures.at(-1));
}

it("explains a player's balance on the page, and each term lists exactly its events", async () => {
  await goto(`/players/${player.address}`);
  const [points, token] = [
    page.getByTestId('explained').first(),
    page.getByTestId('explained').last(),
  ];
  await token.getByTestId('term-DepositCredited-credit').waitFor();
  await expectAddsUp(points);
  await expectAddsUp(token);
  const chip = token.getByTestId('explained-balance').getByRole('link');
  requested = Number((await chip.textContent())?.slice(1));
  await expectAccessible(page, 'player, explained');
  await picture(page, 'console-explain-player');
  await points.getByTestId('term-BetPlaced-debit').click();
  await page.waitForURL(/type%3ABetPlaced/);
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await page.locator('tr[data-row]').nth(2).waitFor();
  await expect.poll(() => page.locator('tr[data-row]').count()).toBe(3);
});

it('shows an account of the house with its movements, as of any position', async () => {
  await goto('/accounts/house');
  await page.getByTestId('term-BetPlaced-credit').waitFor();
  await expectAddsUp(page.getByTestId('explained'));
  await page.locator('tr[data-row]').first().waitFor();
  await expectAccessible(page, 'account');
  await picture(page, 'console-explain-account');
  const printed = await site.run('ledger', 'explain', 'house', '--asset', 'points');
  expect(printed.code, printed.output).toBe(0);
  expect(printed.output).toContain('15.00 BetPlaced slot-machine, events: 3');
  await goto(`/accounts/house?at=${player.bet}`);
  await page
    .getByTestId('explained-balance')
    .filter({ hasText: `#${player.bet.toLocaleString('en')}` })
    .waitFor();
  await page.getByTestId('term-BetPlaced-credit').filter({ hasText: '1 event' }).waitFor();
  await expectAddsUp(page.getByTestId('explained'));
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'account, phone');
  await picture(page, 'console-explain-account-phone');
  const wide = await page.evaluate('document.documentElement.scrollWidth');
  expect(wide).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('shows the margin with every term, twice, and as of a position', async () => {
  await goto('/solvency');
  const sums = page.getByTestId('margin-terms');
  await sums.nth(1).waitFor();
  await expectAddsUp(sums.nth(0));
  await expectAddsUp(sums.nth(1));
  await expectAccessible(page, 'solvency');
  await picture(page, 'console-explain-solvency');
  // The fee of an open withdrawal is owed until it is paid.
  await goto(`/solvency?at=${requested}`);
  await page.getByTestId('term-openFees').filter({ hasText: '−0.50' }).waitFor();
  await page.getByTestId('term-withdrawals').filter({ hasText: '−9.50' }).waitFor();
  await expectAddsUp(sums.nth(0));
  await expectAddsUp(sums.nth(1));
  await goto(`/solvency?at=${player.bet}`);
  await page
    .getByText(`#${player.bet.toLocaleString('en')}`)
    .first()
    .waitFor();
  await expectAddsUp(sums.nth(0));
  await page
    .getByTestId('term-players')
    .filter({ hasText: /(?<![1-9,])0\.00/ })
    .waitFor();
  expect(faults).toEqual([]);
});
