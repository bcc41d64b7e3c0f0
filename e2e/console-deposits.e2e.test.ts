/** Where a deposit is: one list of the console with every state, found by player, transaction, amount and day. */
import { randomBytes } from 'node:crypto';
import { prepareApp } from '@reelbook/cli/standalone/player-app';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { shortAddress } from '@reelbook/web/format';
import bs58 from 'bs58';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole } from './console-given.ts';
import { browser, useBrowser } from './use-site.ts';

const LONG = { timeout: 60_000 };
const NICKNAME = 'Anna of Ulm';

let bank: PayingSite;
let admin: AdminSite;
let page: Page;
let faults: string[];
let player: TestPlayer;
let credited: string;
let unmatched: string;
/** Reported, and never sent. */
const pending = bs58.encode(randomBytes(64));

// Its own site, in this process: the tests decide what its chain does.
useBrowser();
beforeAll(async () => {
  const webRoot = await prepareApp('web-admin', () => {});
  bank = await startPayingSite();
  admin = await startAdminSite(bank.site, { webRoot });
  [page, faults] = await enterConsole(browser, `${admin.url}/#link=${admin.links[0]}`);
  await bank.startCashier();
  player = await bank.player(50n * BSM);
  const named = await player.call('/user/profile', { method: 'PUT', body: { nickname: NICKNAME } });
  expect(named.status).toBe(200);
  credited = await bank.deposit(player, 50n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(50n * BSM));
  const stranger = await bank.chain.fund(7n * BSM);
  unmatched = await bank.chain.deposit(stranger, 7n * BSM);
  await bank.until(async () => expect((await bank.solvency()).queues.unmatched).toBe(1));
  const body = { amount: 3, tx_hash: pending };
  expect((await player.call('/transaction/deposit', { body })).status).toBe(200);
});
afterAll(async () => {
  await admin?.close();
  await bank?.close();
});

const goto = (path: string) => page.goto(admin.url + path);
const search = () => page.getByRole('combobox', { name: 'Search and filter' });
const field = () => page.getByRole('textbox', { name: /^Nickname, wallet, transaction/ });
const rows = () => page.getByRole('table', { name: 'Deposits' }).locator('tbody tr');
const states = () =>
  rows().evaluateAll((found) => found.map((row) => row.querySelectorAll('td')[3]?.textContent));
const shows = (...expected: readonly string[]) =>
  expect.poll(states, LONG).toEqual(expected.map((text) => expect.stringMatching(`^${text}`)));

it('answers where a deposit is in one search, from the search line', async () => {
  await goto('/overview');
  for (const [signature, state] of [
    [credited, 'Credited'],
    [pending, 'Pending'],
    [unmatched, 'Unmatched'],
  ] as const) {
    // A start of it suggests the deposit, and Enter does what the first suggestion does.
    await search().fill(signature.slice(0, 10));
    const first = page.getByRole('option').first();
    await first.getByText(`deposit ${signature}`).waitFor(LONG);
    await search().press('Enter');
    await page.waitForURL(`**/deposits?q=${signature}`, LONG);
    await expect.poll(() => field().inputValue(), LONG).toBe(signature);
    await shows(state);
  }
});

it('links each deposit to its player, its events and its transaction', async () => {
  for (const text of [
    NICKNAME.slice(0, 4),
    player.wallet.address,
    shortAddress(player.wallet.address),
  ]) {
    await goto('/deposits');
    await field().fill(text);
    await shows('Pending', 'Credited');
  }
  await field().fill('50 BSM');
  await shows('Credited');
  await field().fill(`${new Date().toISOString().slice(0, 10)} 50 BSM`);
  await shows('Credited');
  await field().fill('2020-01-01');
  await page.getByText('No deposits found.').waitFor(LONG);
  await field().fill(`${credited.slice(0, 12)}…${credited.slice(-12)}`);
  await shows('Credited');
  const row = rows().first();
  const to = (link: ReturnType<typeof row.getByRole>) => link.getAttribute('href');
  expect(await to(row.getByRole('link', { name: NICKNAME }))).toBe(
    `/players/${player.wallet.address}`,
  );
  expect(await to(row.getByRole('link', { name: /^Open event/ }))).toMatch(/^\/events\/\d+$/);
  await row.locator(`a[title="${credited}"]`).click();
  await page.waitForURL('**/explorer?q=signature*', LONG);
  await page.getByText('1 event matches', { exact: true }).waitFor(LONG);
});

it('shows the age of what is only in a working table, with a note', async () => {
  await goto('/deposits?state=pending');
  await shows('Pending.* since \\d+ (s|min), look-ups: \\d+');
  await page.getByText(/^Deposits without an event are not in the ledger/).waitFor();
  await goto('/house');
  const pendings = page.locator('a[href="/deposits?state=pending"]');
  await pendings.getByText('1', { exact: true }).waitFor(LONG);
  await page.getByText('none', { exact: true }).waitFor();
  const report = (ago: string) =>
    bank.site.pool.query(
      'update deposit_reports set reported_at = now() - $1::interval where signature = $2',
      [ago, pending],
    );
  await report('0 s');
  await goto('/overview');
  const needs = page.getByTestId('needs-action');
  await needs.getByText('1 unmatched deposit', { exact: true }).waitFor(LONG);
  expect(await needs.getByText(/pending deposit/).count()).toBe(0);
  await report('5 minutes');
  await page.reload();
  const row = needs.getByRole('link').filter({ hasText: /^1 pending deposit\s*oldest: \d+ min$/ });
  await row.waitFor(LONG);
  await row.click();
  await page.waitForURL('**/deposits?state=pending', LONG);
  await report('0 s');
});

it('resolves an unmatched deposit, and then shows how', async () => {
  // The address of before.
  await goto('/unmatched');
  await page.waitForURL('**/deposits?state=unmatched');
  await shows('Unmatched');
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('button', { name: 'Credit the house' }).click();
  await page.getByTestId('appended').getByText('UnmatchedDepositResolved').waitFor();
  await act(page, 'Resolve', 'no claim for a year');
  await page.getByText('No unmatched deposits.').waitFor(LONG);
  await page.getByRole('button', { name: 'Resolved', exact: true }).click();
  await shows('Resolved.*to the house, operator.*no claim for a year');
  expect(
    await rows()
      .first()
      .getByRole('link', { name: /^Open event/ })
      .count(),
  ).toBe(2);
});

it('resolves one for a player by a proposal, and names it', async () => {
  const stranger = await bank.chain.fund(9n * BSM);
  const signature = await bank.chain.deposit(stranger, 9n * BSM);
  await bank.until(async () => expect((await bank.solvency()).queues.unmatched).toBe(1));
  await goto('/deposits?state=unmatched');
  await page.getByRole('button', { name: 'Resolve', exact: true }).click(LONG);
  const wallet = page.getByRole('dialog').getByRole('textbox', { name: /^Wallet, public ID/ });
  await wallet.fill(player.wallet.address.slice(-6));
  await page.getByRole('list', { name: 'Players found' }).getByText(player.wallet.address).click();
  await act(page, 'Resolve', 'sent the receipt');
  await page.getByTestId('proposed').waitFor(LONG);
  const { data } = await admin.second.call<readonly { number: number }[]>('/admin/proposals');
  await admin.approve(data[0]?.number ?? null);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(59n * BSM));
  await goto(`/deposits?q=${signature}`);
  await shows(
    `Resolved.*to the player, operator .*by proposal ${data[0]?.number}: sent the receipt`,
  );
  expect(
    await rows()
      .first()
      .getByRole('link', { name: /^Open event/ })
      .count(),
  ).toBe(3);
});

it('is labelled as current while a past point in time is selected, and fits a phone', async () => {
  await goto('/deposits?at=3');
  await page.locator('#main [data-now]').getByText('Now', { exact: true }).waitFor(LONG);
  await goto('/deposits');
  // To the player by the time of the credit, to the house by that of the arrival.
  await shows('Resolved', 'Pending', 'Resolved', 'Credited');
  await expectAccessible(page, 'deposits');
  await picture(page, 'console-deposits');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'deposits on a phone');
  await picture(page, 'console-deposits-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(faults).toEqual([]);
});
