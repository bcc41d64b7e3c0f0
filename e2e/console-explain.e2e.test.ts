/** Explained balances, accounts of the house and the margin with all its terms. */
import { must } from '@reelbook/simulator/client/api';
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
  const body = { nickname: NICKNAME };
  await must(site.url, '/user/profile', { method: 'PUT', token: player.token, body });
  [page, faults] = await enterConsole(browser, await site.link('first'));
});

const NICKNAME = 'Marlene of Ulm';

const goto = (path: string) => page.goto(site.consoleUrl + path);

/** In units of 1e-9; so are points here. */
const BSM = 1_000_000_000n;

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
  requested = Number((await chip.textContent())?.replace(/[#,]/g, ''));
  await expectAccessible(page, 'player, explained');
  await picture(page, 'console-explain-player');
  await points.getByTestId('term-BetPlaced-debit').click();
  await page.waitForURL(/type%3ABetPlaced/);
  await page.getByRole('heading', { name: 'Explorer' }).waitFor();
  await page.locator('tr[data-row]').nth(2).waitFor();
  await expect.poll(() => page.locator('tr[data-row]').count()).toBe(3);
});

it('explains the period that was typed, and prints it alone', async () => {
  await goto(`/players/${player.address}`);
  const [from, to] = [
    'From, position or time (empty: first event)',
    'To (empty: that of the page)',
  ];
  const field = (name: string) => page.getByRole('textbox', { name });
  const points = page.getByTestId('explained').first();
  await points.getByText('1,000.00').first().waitFor();
  await field(from).fill('yesterday noon');
  await field(from).press('Enter');
  await page.getByText('yesterday noon is not a position or time.').waitFor();
  await field(from).fill(String(player.bet));
  await field(from).press('Enter');
  // Before the first field has been looked up: both are kept.
  await field(to).fill(String(player.bet));
  await field(to).blur();
  await points.getByText(`As of #${player.bet.toLocaleString('en')}`).waitFor();
  // Opening and balance only: no event is after the one and up to the other.
  await expect.poll(() => points.locator('.ledger-line').allTextContents()).toHaveLength(2);
  const statement = page.getByTestId('statement-head');
  const bet = `event #${player.bet.toLocaleString('en')}`;
  const TIME = String.raw`20\d\d-\d\d-\d\d [\d:.]+ UTC`;
  const expectStated = (text: string) =>
    expect
      .poll(() => statement.textContent())
      .toMatch(
        new RegExp(`^Reelbook\\. ${NICKNAME}, account player:${player.address}\\. ${text}$`),
      );
  await expectStated(
    `Period: from ${bet} to ${bet}\\. It has no events of the ledger; the last one before it is ${bet} \\(${TIME}\\)\\.`,
  );
  await field(to).fill(String(player.bet + 1));
  await field(to).press('Enter');
  await expectStated(
    `Period: from ${bet} to event #[\\d,]+\\. It has 1 event of the ledger: after ${bet} \\(${TIME}\\), up to event #[\\d,]+ \\(${TIME}\\)\\.`,
  );
  await field(to).fill('-1s');
  await field(to).press('Enter');
  await points.getByTestId('term-BetPlaced-debit').getByText('2 events').waitFor();
  await expectAddsUp(points);
  // A link to the page has the period.
  await page.reload();
  await points.getByTestId('term-BetPlaced-debit').getByText('2 events').waitFor();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printing', 'yes');
  });
  await page.getByRole('button', { name: 'Print statement' }).click();
  await page.locator('body[data-printing=yes]').waitFor();
  await page.emulateMedia({ media: 'print' });
  // The time that was asked for, and the events that it lies between.
  await expectStated(
    `Period: from ${bet} to ${TIME}\\. It has [\\d,]+ events of the ledger: after ${bet} \\(${TIME}\\), up to event #[\\d,]+ \\(${TIME}\\)\\.`,
  );
  await picture(page, 'console-explain-printed');
  expect(await points.isVisible()).toBe(true);
  for (const other of [field(from), page.getByRole('heading', { name: 'Statement' })]) {
    expect(await other.isVisible()).toBe(false);
  }
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.getByRole('heading', { name: 'Statement' }).waitFor();
});

it('has the actions on a player before the statement on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await goto(`/players/${player.address}`);
  const top = async (title: string) =>
    (await page.getByRole('heading', { name: title, exact: true }).boundingBox())?.y ?? 0;
  await page.getByRole('heading', { name: 'Statement' }).waitFor();
  expect(await top('Actions')).toBeLessThan(await top('Balance explained, points and BSM'));
  // The selected time stays in view, its field below the head of the page.
  await page.evaluate(() => scrollTo(0, 600));
  await expect
    .poll(async () => (await page.getByTestId('time-position').boundingBox())?.y ?? 0)
    .toBeGreaterThan(60);
  expect((await page.getByTestId('time-position').boundingBox())?.y).toBeLessThan(110);
  await picture(page, 'console-explain-phone');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('shows an account of the house with its movements, as of any position', async () => {
  await goto('/accounts/house');
  await page.waitForURL('**/house?account=house');
  await page.getByTestId('term-BetPlaced-credit').first().waitFor();
  await expectAddsUp(page.getByTestId('explained'));
  await page.locator('tr[data-row]').first().waitFor();
  await expectAccessible(page, 'account');
  await picture(page, 'console-explain-account');
  const stakesAt = async (at: number) => {
    const words = ['explain', 'house', '--asset', 'points', '--at', String(at)];
    const { code, output } = await site.run('ledger', ...words);
    expect(code, output).toBe(0);
    const [, amount = '0.00', events = '0'] =
      /(\S+) BetPlaced slot-machine, events: (\d+)/.exec(output) ?? [];
    await goto(`/house?account=house&at=${at}`);
    await page
      .getByTestId('explained-balance')
      .filter({ hasText: `#${at.toLocaleString('en')}` })
      .waitFor();
    await expectAddsUp(page.getByTestId('explained'));
    const stakes = page.getByTestId('explained').locator('.ledger-line', {
      has: page.getByTestId('term-BetPlaced-credit').filter({ hasText: 'slot-machine' }),
    });
    const shown = (await stakes.count()) === 0 ? '' : ((await stakes.textContent()) ?? '');
    expect(minorOf(shown)).toBe(minorOf(amount));
    expect(Number(/(\d+) events?/.exec(shown)?.[1] ?? 0)).toBe(Number(events));
    return { minor: minorOf(shown), events: Number(events) };
  };
  const [before, after] = [await stakesAt(player.bet - 1), await stakesAt(player.bet)];
  expect(after).toEqual({ minor: before.minor + 5n * BSM, events: before.events + 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'account, phone');
  await picture(page, 'console-explain-account-phone');
  const wide = await page.evaluate('document.documentElement.scrollWidth');
  expect(wide).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('shows the margin with every term, twice, and as of a position', async () => {
  await goto('/solvency');
  await page.waitForURL('**/house');
  const sums = page.getByTestId('margin-terms');
  await sums.nth(1).waitFor();
  await expectAddsUp(sums.nth(0));
  await expectAddsUp(sums.nth(1));
  await expectAccessible(page, 'solvency');
  await picture(page, 'console-explain-solvency');
  const owedAt = async (at: number) => {
    await goto(`/house?at=${at}`);
    await page
      .getByText(`#${at.toLocaleString('en')}`)
      .first()
      .waitFor();
    await expectAddsUp(sums.nth(0));
    await expectAddsUp(sums.nth(1));
    const terms = ['players', 'withdrawals', 'openFees'].map(async (name) => {
      const text = await page.getByTestId(`term-${name}`).textContent();
      return minorOf(text ?? '');
    });
    return Promise.all(terms);
  };
  // The request turns 10 BSM of the player into a payment and its fee, which are owed until it is paid.
  const [before, after] = [await owedAt(requested - 1), await owedAt(requested)];
  expect(after.map((minor, n) => minor - (before[n] ?? 0n))).toEqual([
    10n * BSM,
    -9_500_000_000n,
    -500_000_000n,
  ]);
  expect(faults).toEqual([]);
});
