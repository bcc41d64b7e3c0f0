/** Names of operators, standings of players, resolution of unmatched deposits by search, and the focus of dialogs. */
import { call, must, readSentence } from '@reelbook/simulator/client/api';
import { createWallet, type TestWallet } from '@reelbook/testing/wallets';
import { shortAddress } from '@reelbook/web/format';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import {
  act,
  enterConsole,
  type GivenPlayer,
  givePlayer,
  giveStranger,
  setTheme,
} from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;
/** Right to left: without isolation, digits of the wallet after it move before it. */
const NICKNAME = 'דנה שלום';

useSite();

let player: GivenPlayer;
/** A wallet whose deposit is unmatched. */
let stranger: string;
let named: TestWallet;
let first: Page;
let second: Page;

beforeAll(async () => {
  player = await givePlayer(site);
  stranger = await giveStranger(site, player);
  do named = createWallet();
  while (!/^\d/.test(named.address));
  const { url } = site;
  const { token } = await must<{ token: string }>(url, '/auth/login', {
    body: named.login(Date.now(), await readSentence(url)),
  });
  const body = { nickname: NICKNAME };
  const { status } = await call(url, '/user/profile', { method: 'PUT', token, body });
  expect(status).toBe(200);
  [first] = await enterConsole(browser, await site.link('first'));
  [second] = await enterConsole(browser, await site.link('second'));
});
async function expectFitsPhone(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 390, height });
  await picture(page, `console-desk-${name}-phone`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width, height });
}
const goto = (page: Page, path: string) => page.goto(site.consoleUrl + path);
/** The list of players, with only the one that has the nickname. */
const goToNamed = (page: Page) => goto(page, `/players?name=${named.address}`);
/** The row of the unmatched deposit. */
const unmatched = (page: Page) => page.getByRole('row').filter({ hasText: shortAddress(stranger) });

it('shows the name that an operator sets wherever the operator is shown', async () => {
  await first.getByRole('button', { name: 'Set name' }).click();
  const dialog = first.getByRole('dialog');
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect.poll(() => name.evaluate((it) => it === document.activeElement)).toBe(true);
  await name.fill('Admin');
  await dialog.getByText('could be mistaken for a role').waitFor();
  await name.fill('Ann Lee');
  await dialog.getByTestId('appended').getByText('OperatorNamed').waitFor();
  await expectAccessible(first, 'a name');
  await picture(first, 'console-desk-name');
  await act(first, 'Set name', 'my name');
  await first.getByRole('button', { name: 'Ann Lee Set name' }).waitFor({ timeout: LONG_MS });
  await goto(second, '/configuration');
  const row = second.getByRole('row', { name: /^Ann Lee/ });
  await row.waitFor({ timeout: LONG_MS });
  await picture(second, 'console-desk-operators');
  await expectFitsPhone(second, 'operators');
  await row.getByRole('link', { name: 'Events' }).click();
  const event = second.getByRole('row').filter({ hasText: 'OperatorNamed' });
  await event
    .getByText(/Ann Lee\s*\S{4}…\S{4} named Ann Lee: my name/)
    .waitFor({ timeout: LONG_MS });
});

it('shows since when, by whom and why a player is suspended, in the list and on the page', async () => {
  await goto(first, `/players/${named.address}`);
  await first.getByRole('button', { name: 'Suspend', exact: true }).click();
  await act(first, 'Suspend', 'two accounts');
  for (const path of [`/players/${named.address}`, `/players?name=${named.address}`]) {
    await goto(second, path);
    const standing = second.getByTestId('standing');
    await standing.getByText('two accounts').waitFor({ timeout: LONG_MS });
    await standing.getByText('Ann Lee').waitFor({ timeout: LONG_MS });
    const text = (await standing.textContent()) ?? '';
    expect(text).toMatch(/^Suspendedsince \d{4}-\d\d-\d\d \d\d:\d\d UTC, by.*Ann Lee/);
    await expectAccessible(second, path);
  }
  await picture(second, 'console-desk-players');
  await expectFitsPhone(second, 'players');
  await goto(second, `/players/${named.address}`);
  await second.getByTestId('standing').waitFor();
  await expectFitsPhone(second, 'player');
  await setTheme(second, 'light');
  await goToNamed(second);
  await second.getByTestId('standing').getByText('Suspended').waitFor();
  await expectAccessible(second, 'players, light');
  await picture(second, 'console-desk-players-light');
  await setTheme(second, 'dark');
});

it('shows a right-to-left nickname without a change of the wallet after it', async () => {
  await goToNamed(first);
  const link = first.getByRole('link', { name: NICKNAME });
  await link.waitFor({ timeout: LONG_MS });
  expect(await link.textContent()).toBe(NICKNAME + shortAddress(named.address));
  const [nickname, wallet] = await Promise.all([
    link.locator('bdi').boundingBox(),
    link.locator('.font-mono').boundingBox(),
  ]);
  if (!nickname || !wallet) throw new Error('both are shown');
  expect(wallet.x).toBeGreaterThanOrEqual(nickname.x + nickname.width);
  const ligatures = (it: Element) => getComputedStyle(it).fontVariantLigatures;
  expect(await link.locator('.font-mono').evaluate(ligatures)).toBe('none');
  await goto(first, '/explorer?q=type:PlayerRegistered');
  const sentence = first.getByText(/^registered as/).first();
  await sentence.waitFor({ timeout: LONG_MS });
  expect(await sentence.locator('.font-mono').textContent()).toMatch(/^[0-9a-z]{16}$/);
});

it('resolves an unmatched deposit by a partial wallet, and shows the reason to the second operator', async () => {
  await goto(first, '/deposits?state=unmatched');
  const resolve = unmatched(first).getByRole('button', { name: 'Resolve', exact: true });
  await resolve.click({ timeout: LONG_MS });
  const dialog = first.getByRole('dialog');
  const search = dialog.getByRole('textbox', { name: /^Wallet, public ID/ });
  await expect.poll(() => search.evaluate((it) => it === document.activeElement)).toBe(true);
  await first.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => resolve.evaluate((it) => it === document.activeElement)).toBe(true);
  await first.keyboard.press('Enter');
  await search.fill('no such player');
  await dialog.getByText('No player found.').waitFor();
  expect(await search.getAttribute('aria-invalid')).toBe('true');
  await search.fill(shortAddress(player.address));
  await dialog.getByRole('list', { name: 'Players found' }).getByText(player.address).click();
  await dialog.getByTestId('appended').getByText('Proposed', { exact: true }).waitFor();
  await expectAccessible(first, 'resolve');
  await picture(first, 'console-desk-resolve');
  await act(first, 'Resolve', 'sent the receipt');
  await goto(second, '/deposits?state=unmatched');
  await picture(second, 'console-desk-unmatched');
  await expectFitsPhone(second, 'unmatched');
  await unmatched(second).getByTestId('proposed').click({ timeout: LONG_MS });
  const proposal = second.getByTestId('proposal').filter({ hasText: 'Unmatched deposit' });
  await proposal.getByText('sent the receipt').first().waitFor({ timeout: LONG_MS });
  await proposal.getByText('Ann Lee').waitFor();
  await expectFitsPhone(second, 'approvals');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(second, theme);
    await second.reload();
    await proposal.getByRole('button', { name: 'Approve' }).click({ timeout: LONG_MS });
    await second.getByTestId('appended').getByText('UnmatchedDepositResolved').waitFor();
    await expectAccessible(second, `the second approval, ${theme}`);
    await picture(second, `console-desk-approve-${theme}`);
  }
  await act(second, 'Approve');
  await goto(second, '/deposits?state=unmatched');
  await unmatched(second).waitFor({ state: 'detached', timeout: LONG_MS });
});
