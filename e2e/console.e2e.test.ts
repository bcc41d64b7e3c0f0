/** The operators' way: find, travel, verify, set, pay, resolve, rebuild, and name what was changed behind the ledger's back. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import {
  act,
  askSolana,
  changeBehindItsBack,
  confirm,
  enterConsole,
  type GivenPlayer,
  givePlayer,
  openRound,
  PAGES,
} from './console-given.ts';
import { findSought, seedLedger } from './seeded.ts';
import { installWallet, TEST_WALLET } from './test-wallet.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;
/** Among which one is found. More: `CONSOLE_E2E_EVENTS=1000000 npm run e2e -- console`. */
const EVENTS = Number(process.env.CONSOLE_E2E_EVENTS ?? 4_000);

// Rounds of games that last are open for long enough to be voided.
useSite({ GAME_TICK_MS: '3000', SEAL_EVERY_EVENTS: '16', ANCHOR_EVERY_MINUTES: '1' });

let player: GivenPlayer;
let first: Page;
let second: Page;
let faults: string[];

beforeAll(async () => {
  player = await givePlayer(site);
  [first, faults] = await enterConsole(browser, site.console.links[0]);
  [second] = await enterConsole(browser, site.console.links[1]);
});
const goto = (page: Page, path: string) => page.goto(site.console.url + path);

it('lets nobody in by a link that was used, and takes the link out of the address', async () => {
  expect(first.url()).not.toContain('link=');
  const { page } = await visit(browser, 'phone');
  await page.goto(site.console.links[0] ?? '');
  await page.getByRole('alert').filter({ hasText: 'used already' }).waitFor();
  await expectAccessible(page, 'sign-in');
  await page.close();
});

it('lets a wallet in once it is an operator, and hides what its role may not do', async () => {
  const { context, page } = await visit(browser, 'desktop');
  const wallet = await installWallet(context);
  await page.goto(site.console.url);
  await page.getByRole('button', { name: TEST_WALLET }).click();
  await page.getByRole('alert').filter({ hasText: 'not an operator' }).waitFor();
  const words = ['add', wallet.address, '--role', 'viewer', '--reason', 'e2e'];
  const added = await site.run('operator', ...words);
  expect(added.code, added.output).toBe(0);
  expect(added.output).toContain('PROPOSED');
  for (const one of [first, second]) {
    await goto(one, '/operators');
    await confirm(one, wallet.address);
    await goto(one, '/explorer');
  }
  await page.getByRole('button', { name: TEST_WALLET }).click();
  await page.getByRole('heading', { name: 'Explorer' }).waitFor({ timeout: LONG_MS });
  await page.getByText(/^Viewer/).waitFor();
  expect(await page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Operators' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: "Operators' console" }).waitFor();
  await context.close();
});

it('finds an event by tokens and by its position, and verifies it in the browser', async () => {
  await first.keyboard.press('/');
  await first.keyboard.type(`player:${player.address} type:BetPlaced `);
  await first.getByText('3 shown').waitFor({ timeout: LONG_MS });
  expect(new URL(first.url()).searchParams.get('q')).toContain('type:BetPlaced');
  await first.locator('#main').focus();
  await first.keyboard.press('j');
  await first.keyboard.press('Enter');
  await first.getByRole('complementary', { name: 'The selected event' }).waitFor();
  await picture(first, 'console-explorer');

  await first.keyboard.press('/');
  await first.keyboard.type(`#${player.bet}`);
  await first.keyboard.press('Enter');
  await first.waitForURL(`**/events/${player.bet}`);
  await first.getByText('REPLAY', { exact: true }).waitFor();
  // Hash, the text that is shown, and the round drawn again from its revealed seed.
  await expect.poll(() => first.locator('[data-verdict=holds]').count()).toBeGreaterThanOrEqual(3);
  expect(await first.locator('[data-verdict=differs]').count()).toBe(0);
  await expectAccessible(first, 'event');
  await picture(first, 'console-event');
});

it('travels to then, steps, and shows what differs from now', async () => {
  await first.getByRole('link', { name: 'Travel here' }).click();
  await first.locator('.shell[data-then=true]').waitFor();
  const moment = first.getByTestId('moment');
  await expect.poll(() => moment.textContent()).toContain(`#${player.bet}`);
  const version = await first.getByTestId('version').textContent();
  await first.keyboard.press('[');
  await expect.poll(() => moment.textContent()).toContain(`#${player.bet - 1}`);
  await expect.poll(() => first.getByTestId('version').textContent()).not.toBe(version);
  await picture(first, 'console-travel');
  await first.getByRole('link', { name: 'Compare with now' }).click();
  await first.getByRole('table', { name: 'Difference' }).waitFor();
  await expectAccessible(first, 'difference');
  await first.keyboard.press('n');
  await first.locator('.shell[data-then=false]').waitFor();
});

it('exports what a filter finds, with a manifest', async () => {
  await goto(first, '/explorer?q=type:BetPlaced');
  await first.getByRole('button', { name: 'Export', exact: true }).click();
  const download = first.waitForEvent('download');
  await first.getByRole('button', { name: 'Export JSONL' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  // Three bets, and the manifest as the last line.
  expect(lines.length).toBe(4);
  const manifest = JSON.parse(lines[3] ?? '').manifest;
  await first.getByTestId('manifest').getByText(manifest.sha256).waitFor({ timeout: LONG_MS });
  await first.keyboard.press('Escape');
});

it('exports as CSV and prints a report with its title, interval, operator and time', async () => {
  await goto(first, '/explorer?q=type:BetPlaced');
  await first.getByRole('button', { name: 'Export', exact: true }).click();
  const download = first.waitForEvent('download');
  await first.getByRole('button', { name: 'Export CSV' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(/^position,time,type,/);
  await first.keyboard.press('Escape');

  await goto(first, '/reports');
  await first.getByTestId('report').waitFor();
  await first.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await first.getByRole('button', { name: 'Print' }).click();
  await first.locator('body[data-printed=yes]').waitFor();
  await first.emulateMedia({ media: 'print' });
  await first.getByTestId('report').getByText('UTC').first().waitFor();
  expect(await first.getByRole('navigation').first().isVisible()).toBe(false);
  await first.emulateMedia({ media: null });
});

it('gives the stake of an open round back, and an adjustment with four eyes', async () => {
  const started = await openRound(site, player);
  await goto(first, `/events/${started}`);
  await first.getByRole('button', { name: 'Void the round' }).click();
  await first.getByTestId('appended').getByText('BetVoided').waitFor();
  await act(first, 'Void the round');
  await first.getByText('voided', { exact: true }).waitFor({ timeout: LONG_MS });

  await goto(first, `/players/${player.address}`);
  for (const amount of ['3000', '4000']) {
    await first.getByRole('button', { name: 'Adjust balance' }).click();
    await first.getByRole('dialog').getByRole('textbox', { name: 'Amount' }).fill(amount);
    await act(first, 'Adjust balance');
  }
  await goto(second, '/players');
  const waiting = second.getByRole('button', { name: 'Approve', exact: true });
  await expect.poll(() => waiting.count(), { timeout: LONG_MS }).toBe(2);
  await waiting.first().click();
  await second.getByTestId('appended').getByText('BalanceAdjusted').waitFor();
  await act(second, 'Approve');
  await expect.poll(() => waiting.count(), { timeout: LONG_MS }).toBe(1);
  await second.getByRole('button', { name: 'Refuse', exact: true }).click();
  await act(second, 'Refuse');
  await expect.poll(() => waiting.count(), { timeout: LONG_MS }).toBe(0);
});

it('gives an operator another role, and takes it away', async () => {
  await goto(first, '/operators');
  const row = first.getByRole('row').filter({ hasText: 'Viewer' });
  await row.getByRole('button', { name: 'Change role' }).click();
  await first
    .getByRole('dialog')
    .getByRole('radio', { name: /^Auditor/ })
    .check();
  await act(first, 'Change role');
  await goto(second, '/configuration');
  await second.getByRole('link', { name: '1 proposal' }).waitFor();
  await confirm(second, 'Auditor');
  const auditor = first.getByRole('row').filter({ hasText: 'Auditor' });
  await auditor.getByRole('button', { name: 'Revoke' }).click();
  await act(first, 'Revoke');
  await first.getByRole('row').filter({ hasText: 'Revoked' }).waitFor({ timeout: LONG_MS });
});

it('changes the configuration after showing what it does', async () => {
  await goto(first, '/configuration');
  const field = first.getByRole('textbox', { name: /withdraw\.automaticMaxTokenMinor/ });
  await field.fill('-1');
  await first.getByTestId('preview').getByRole('alert').first().waitFor();
  await field.fill('1');
  await first.getByTestId('preview').getByText('+ 1.00 BSM').waitFor();
  await first.getByText('What it would do').waitFor();
  await picture(first, 'console-configuration');
  await first.getByRole('button', { name: 'Change configuration' }).click();
  await first.getByTestId('appended').getByText('ConfigChanged').waitFor();
  await act(first, 'Change configuration');
  await first.getByRole('table', { name: 'History' }).getByText('because the test').waitFor();
});

it('pays a withdrawal that two operators approved, and not one alone', async () => {
  const id = await player.withdraw(20);
  // By the list, which shows it as soon as its read model has it: its own page would be a 404 before.
  await goto(first, '/withdrawals');
  await first
    .getByRole('row', { name: /20\.00/ })
    .getByText('20.00')
    .click({ timeout: LONG_MS });
  await first.getByRole('button', { name: 'Approve', exact: true }).click();
  await first.getByTestId('appended').getByText('WithdrawalApproved').waitFor();
  await act(first, 'Approve');
  const own = first.getByRole('button', { name: 'Approved by you' });
  await own.waitFor();
  expect(await own.isDisabled()).toBe(true);
  await goto(second, `/withdrawals/${id}`);
  await second.getByRole('button', { name: 'Approve', exact: true }).click();
  await act(second, 'Approve');
  await second.getByText('Final', { exact: true }).waitFor({ timeout: LONG_MS });
  await picture(second, 'console-withdrawal');
});

it('resolves a deposit that nobody could be given', async () => {
  await goto(first, '/unmatched');
  await first.getByRole('button', { name: 'Resolve' }).click();
  await first.getByRole('button', { name: "The house's" }).click();
  await first.getByTestId('appended').getByText('UnmatchedDepositResolved').waitFor();
  await act(first, 'Resolve');
  await first.getByText('No unmatched deposits.').waitFor({ timeout: LONG_MS });
});

it('rebuilds a read model beside the live one, and switches to it', async () => {
  await goto(first, '/replay');
  const row = first.getByRole('row', { name: /^leaderboards/ });
  await row.getByRole('button', { name: 'Rebuild beside' }).click();
  await first.getByTestId('appended').getByText('ReadModelOperationStarted').waitFor();
  await act(first, 'Rebuild beside');
  await row.getByText(/^equal, /).waitFor({ timeout: LONG_MS });
  await row.getByRole('button', { name: 'Switch' }).click();
  await act(first, 'Switch');
  await row.getByText('replaced one kept').waitFor({ timeout: LONG_MS });
});

it(
  'finds one event among all that a ledger has, by each of its names and by filters',
  async () => {
    const sought = await seedLedger(site, EVENTS);
    await findSought(first, site, sought);
  },
  60_000 + EVENTS * 3,
);

it('follows the whole chain in the browser, and audits the ledger', async () => {
  await goto(first, '/replay');
  await first.getByRole('button', { name: 'Verify the chain' }).click();
  await first.getByText(/^The chain is whole to #/).waitFor({ timeout: LONG_MS });
  await first.getByRole('button', { name: 'Run the audit' }).click();
  await first.getByText('Everything holds').waitFor({ timeout: LONG_MS });
  await picture(first, 'console-replay');
});

it('lets a player ask Solana for the seal over an own round', async () => {
  await askSolana(browser, site, player);
}, 180_000);

it('has no serious fault of accessibility on any page, and logs none', async () => {
  for (const path of [...PAGES, `/players/${player.address}`]) {
    await goto(first, path);
    await first.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => first.locator('.skeleton').count(), { timeout: LONG_MS }).toBe(0);
    await expectAccessible(first, path);
  }
  expect(faults).toEqual([]);
}, 180_000);

it('names a row that was changed behind the back of the ledger, in red', async () => {
  await changeBehindItsBack(site, player.bet, '"stakeMinor":"500"', '"stakeMinor":"400"');
  await goto(first, `/events/${player.bet}`);
  await first.getByRole('alert').filter({ hasText: 'This row does not hold' }).waitFor();
  await first.locator('[data-verdict=differs]').first().waitFor();
  await picture(first, 'console-tampered');
  await goto(first, '/replay');
  await first.getByRole('button', { name: 'Verify the chain' }).click();
  await first.getByText('The chain breaks at').waitFor({ timeout: LONG_MS });
  await first.getByRole('button', { name: 'Run the audit' }).click();
  const fault = first.getByTestId('audit-result').getByText('First fault');
  await fault.waitFor({ timeout: LONG_MS });
  await fault.getByRole('link', { name: `Open event ${player.bet}` }).waitFor();
});
