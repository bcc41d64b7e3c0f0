/** An operator does only what was meant: with a state that changed meanwhile, another person in the tab, or reads that fail. */
import { readFile } from 'node:fs/promises';
import { must } from '@reelbook/simulator/client/api';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import {
  act,
  approve,
  enterConsole,
  type GivenPlayer,
  givePlayer,
  giveStranger,
} from './console-given.ts';
import { browser, ownSite, site, useOwnSite } from './use-site.ts';

const LONG_MS = 60_000;
const wait = { timeout: LONG_MS };

// Its own: it stops a function.
useOwnSite();

let player: GivenPlayer;
let stranger: string;
let first: Page;
let second: Page;

beforeAll(async () => {
  player = await givePlayer(site);
  stranger = await giveStranger(site, player);
  [first] = await enterConsole(browser, ownSite.links[0]);
  [second] = await enterConsole(browser, ownSite.links[1]);
});
const goto = (page: Page, path: string) => page.goto(site.consoleUrl + path);
const playerPage = () => `/players/${player.address}`;
const UNREFRESHED = 'Not refreshed since';

it('does not call an empty list current whose refresh failed, and dates it', async () => {
  await goto(first, '/withdrawals');
  const none = first.getByText('No withdrawals.');
  await none.waitFor(wait);
  await first.route('**/admin/withdrawals?*', (route) => route.fulfill({ status: 503 }));
  await first.getByText(UNREFRESHED).waitFor(wait);
  await none.waitFor();
  await first.getByText(/Not refreshed since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/).waitFor();
  await first.unrouteAll();
  await first.getByText(UNREFRESHED).waitFor({ state: 'detached', ...wait });
});

it('shows that notes, proposals and findings could not be read', async () => {
  for (const [path, read, title] of [
    [playerPage(), '**/notes', 'Notes'],
    ['/approvals', '**/proposals', 'Pending approval'],
    ['/audit', '**/findings', 'Open findings'],
  ] as const) {
    await first.route(read, (route) => route.fulfill({ status: 503 }));
    await goto(first, path);
    const panel = first.locator('section', { has: first.getByRole('heading', { name: title }) });
    await panel.getByRole('button').waitFor(wait);
    await first.unrouteAll();
  }
});

it('takes a press while the preview is read again for a new event', async () => {
  await goto(first, playerPage());
  await first.getByRole('button', { name: 'Add note' }).click();
  const dialog = first.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Note/ }).fill('pressed during a refresh');
  const submit = dialog.getByRole('button', { name: 'Add note', exact: true });
  await expect.poll(() => submit.isEnabled(), wait).toBe(true);
  let readAgain = 0;
  await first.route('**/notes/dry-run', () => {
    readAgain += 1;
  });
  await must(site.url, '/game/slot-machine/bet', {
    token: player.token,
    key: crypto.randomUUID(),
    body: { bet_amount: 5 },
  });
  await expect.poll(() => readAgain, wait).toBeGreaterThan(0);
  expect(await submit.isEnabled()).toBe(true);
  await submit.click();
  await dialog.waitFor({ state: 'detached', ...wait });
  await first.unrouteAll();
  await first.locator('main').getByText('pressed during a refresh').waitFor(wait);
});

it('names the deposit that is resolved, and saves complete values', async () => {
  await goto(first, '/deposits');
  const resolve = first.getByRole('button', { name: 'Resolve', exact: true });
  await resolve.click(wait);
  await first.getByRole('dialog').getByText(stranger).waitFor();
  await first.keyboard.press('Escape');
  const csv = async (path: string) => {
    await goto(first, path);
    const saved = first.waitForEvent('download');
    await first.getByRole('button', { name: /Save all rows as CSV/ }).click(wait);
    return (await readFile(await (await saved).path(), 'utf8')).split('\r\n')[2];
  };
  expect(await csv('/deposits?state=unmatched')).toMatch(
    new RegExp(`\\d{4}-\\d\\d-\\d\\dT[^,]*Z,7\\.000000000 BSM,${stranger},`),
  );
  const id = await player.withdraw(2);
  await goto(first, `/withdrawals/${id}`);
  await first.getByText('Finalized', { exact: true }).waitFor(wait);
  // The list may be behind the page of the withdrawal.
  await expect
    .poll(() => csv('/withdrawals?status=all'), wait)
    .toMatch(/^\d{4}-\d\d-\d\dT.*Finalized [1-9A-HJ-NP-Za-km-z]{80,}$/);
});

it('keeps a dialog what it was opened as, when another operator does the same first', async () => {
  for (const page of [first, second]) {
    await goto(page, playerPage());
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByTestId('appended').getByText('PlayerSuspended').waitFor(wait);
  }
  await act(first, 'Suspend');
  const dialog = second.getByRole('dialog');
  await dialog.getByTestId('appended').getByRole('alert').waitFor(wait);
  await dialog.getByRole('heading', { name: 'Suspend' }).waitFor();
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('two accounts');
  expect(await dialog.getByRole('button', { name: 'Suspend', exact: true }).isDisabled()).toBe(
    true,
  );
  expect(await dialog.getByRole('button', { name: 'Reinstate' }).count()).toBe(0);
  await second.keyboard.press('Escape');
});

it('keeps typed values when the configuration changes, and refuses the dialog made before', async () => {
  await goto(second, '/configuration');
  const value = second.getByRole('textbox', { name: /withdraw\.automaticMaxTokenMinor/ });
  await value.fill('3');
  await second.getByRole('button', { name: 'Change configuration' }).click();
  const dialog = second.getByRole('dialog');
  await dialog.getByTestId('appended').getByText('ConfigChanged').waitFor(wait);
  await goto(first, '/overview');
  const exchange = first.locator('div').filter({ hasText: /^Exchangeexchange/ });
  await exchange.getByRole('button', { name: 'Stop' }).click();
  await act(first, 'Stop');
  await dialog.getByTestId('appended').getByRole('alert').waitFor(wait);
  await second.keyboard.press('Escape');
  expect(await value.inputValue()).toBe('3');
  await second.getByRole('button', { name: 'Change configuration' }).click();
  await act(second, 'Change configuration');
  await second.getByText('Change a value to preview its effect.').waitFor(wait);
});

it('names what a change changed, and its Undo proposes the value of before, which another person approves', async () => {
  const NAME = 'Auto-approved up to, per withdrawal';
  await goto(first, '/configuration');
  const value = first.getByRole('textbox', { name: /withdraw\.automaticMaxTokenMinor/ });
  const rows = first.getByRole('table', { name: 'History' }).getByRole('row');
  const row = rows.filter({ hasText: NAME });
  await row.getByText('1,000.00 BSM → 3.00 BSM').waitFor(wait);
  // The addresses of the token are fixed.
  const fixed = rows.filter({ hasText: 'Deposit address' });
  expect(await fixed.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await row.getByRole('button', { name: 'Undo' }).click();
  const dialog = first.getByRole('dialog');
  await dialog
    .getByText(/it goes back to values from before one person changed them/)
    .waitFor(wait);
  await dialog
    .getByTestId('appended')
    .getByText(`${NAME} 3.00 BSM → 1,000.00 BSM proposed as number`)
    .waitFor(wait);
  await expectAccessible(first, 'undo');
  await act(first, 'Undo', 'was too low');
  expect(await value.inputValue()).toBe('3');
  await approve(second, NAME);
  await expect.poll(() => value.inputValue(), wait).toBe('1000');
  // Nothing is left to undo of it; what the approval changed can be undone.
  await expect.poll(() => row.getByRole('button', { name: 'Undo' }).count(), wait).toBe(1);
  await goto(first, '/explorer?q=type:ConfigChanged');
  await first
    .getByText(`configuration: Withdrawals: ${NAME} 3.00 BSM → 1,000.00 BSM (was too low)`)
    .first()
    .click(wait);
  await first.getByText(`Withdrawals: ${NAME}`, { exact: true }).waitFor(wait);
});

it('does not act from a page that shows the past', async () => {
  await goto(first, '/overview?at=5');
  await first.getByRole('button', { name: 'Stop', exact: true }).first().click();
  const dialog = first.getByRole('dialog');
  await dialog.getByTestId('appended').getByText('ConfigChanged').waitFor(wait);
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('test');
  await dialog.getByText('Return to now first.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Stop', exact: true }).isDisabled()).toBe(true);
  await first.keyboard.press('Escape');
});

it('leads earlier addresses to where their contents are', async () => {
  for (const path of [
    '/engine',
    '/switches',
    '/replay',
    '/solvency',
    '/games',
    '/reports',
    '/operators',
    '/accounts/house',
  ]) {
    await goto(first, path);
    await first
      .getByRole('heading', { level: 1, name: /^(Overview|Audit|House|Configuration)$/ })
      .waitFor(wait);
  }
});

it('closes the dialogs of one operator when another one signs in in another tab', async () => {
  const { output } = await site.run('operator', 'link');
  const [own, other] = output.match(/\S+#link=\S+/g) ?? [];
  const [tab] = await enterConsole(browser, own);
  await goto(tab, '/overview');
  await tab.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await tab.getByRole('dialog').waitFor();
  const next = await tab.context().newPage();
  await next.goto(other ?? '');
  await next.getByRole('heading', { name: 'Overview' }).waitFor(wait);
  await tab.getByRole('dialog').waitFor({ state: 'detached', ...wait });
});
