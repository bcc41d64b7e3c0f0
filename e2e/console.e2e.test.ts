/** The operators' tasks: search, time travel, verification, configuration, payments, and tampered events. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import {
  act,
  approve,
  askSolana,
  enterConsole,
  type GivenPlayer,
  givePlayer,
  giveStranger,
  openRound,
  PAGES,
  tamperWithEvent,
} from './console-given.ts';
import { findSought, seedLedger } from './seeded.ts';
import { installWallet, TEST_WALLET } from './test-wallet.ts';
import { browser, ownSite, site, useOwnSite } from './use-site.ts';

const LONG_MS = 60_000;
/** Size of the searched ledger. Larger: `CONSOLE_E2E_EVENTS=1000000 npm run e2e -- console`. */
const EVENTS = Number(process.env.CONSOLE_E2E_EVENTS ?? 4_000);

// Its own: it tampers with the ledger, takes a role from an operator, and has rounds that stay open until they are voided.
useOwnSite({ GAME_TICK_MS: '60000', SEAL_EVERY_EVENTS: '16', ANCHOR_EVERY_MINUTES: '1' });

let player: GivenPlayer;
let first: Page;
let second: Page;
let faults: string[];

beforeAll(async () => {
  player = await givePlayer(site);
  await giveStranger(site, player);
  [first, faults] = await enterConsole(browser, ownSite.links[0]);
  [second] = await enterConsole(browser, ownSite.links[1]);
});
const goto = (page: Page, path: string) => page.goto(site.consoleUrl + path);

it('rejects a used sign-in link, and removes the link from the URL', async () => {
  expect(first.url()).not.toContain('link=');
  const { page } = await visit(browser, 'phone');
  await page.goto(ownSite.links[0] ?? '');
  await page.getByRole('alert').filter({ hasText: 'used already' }).waitFor();
  await expectAccessible(page, 'sign-in');
  await page.close();
});

it('signs in by a link pasted into an open tab, and opens the page that was asked for', async () => {
  const { output } = await site.run('operator', 'link');
  const [one = '', other = ''] = output.match(/\S+#link=\S+/g) ?? [];
  const { page } = await visit(browser, 'desktop');
  await goto(page, '/withdrawals?status=all');
  await page.getByRole('heading', { name: "Operators' console" }).waitFor();
  await page.goto(one);
  await page.getByRole('heading', { name: 'Withdrawals' }).waitFor();
  expect(page.url()).toBe(`${site.consoleUrl}/withdrawals?status=all`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await goto(page, '/');
  await page.getByRole('heading', { name: "Operators' console" }).waitFor();
  // Changes only the fragment: the page is not loaded again.
  await page.evaluate((link) => location.assign(link), other);
  await page.getByRole('heading', { name: 'Withdrawals' }).waitFor();
  expect(page.url()).not.toContain('link=');
  await page.close();
});

it('describes each event in words, in the explorer and on its page', async () => {
  await goto(first, '/explorer?q=type:ConfigChanged');
  const row = first.getByRole('row').nth(1);
  await row.getByText(/^configuration: /).waitFor();
  await row.getByRole('link').first().click();
  await first
    .getByText(/^configuration: /)
    .first()
    .waitFor();
});

it('signs in a wallet after it became an operator, and hides actions above its role', async () => {
  const { context, page } = await visit(browser, 'desktop');
  const wallet = await installWallet(context);
  await page.goto(site.consoleUrl);
  await page.getByRole('button', { name: TEST_WALLET }).click();
  await page.getByRole('alert').filter({ hasText: 'not an operator' }).waitFor();
  const words = ['add', wallet.address, '--role', 'viewer', '--reason', 'e2e'];
  const added = await site.run('operator', ...words);
  expect(added.code, added.output).toBe(0);
  expect(added.output).toContain('PROPOSED');
  for (const one of [first, second]) {
    await goto(one, '/configuration');
    await approve(one, wallet.address);
    await goto(one, '/explorer');
  }
  await page.getByRole('button', { name: TEST_WALLET }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor({ timeout: LONG_MS });
  await page.getByText(/^Viewer/).waitFor();
  expect(await page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Configuration' }).click();
  await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Add operator' }).count()).toBe(0);
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
  await first.getByRole('complementary', { name: 'Selected event' }).waitFor();
  await picture(first, 'console-explorer');

  await first.keyboard.press('/');
  await first.keyboard.type(`#${player.bet}`);
  await first.keyboard.press('Enter');
  await first.waitForURL(`**/events/${player.bet}`);
  await first.getByText('REPLAY', { exact: true }).waitFor();
  // Hash, shown text, and the round recomputed from its revealed seed.
  await expect.poll(() => first.locator('[data-verdict=passed]').count()).toBeGreaterThanOrEqual(3);
  expect(await first.locator('[data-verdict=failed]').count()).toBe(0);
  await expectAccessible(first, 'event');
  await picture(first, 'console-event');
});

it('shows a past point in time, steps, and compares it with now', async () => {
  await first.getByRole('link', { name: 'View as of this event' }).click();
  await first.locator('.shell[data-past=true]').waitFor();
  const position = first.getByTestId('time-position');
  await expect.poll(() => position.textContent()).toContain(`#${player.bet}`);
  const version = await first.getByTestId('version').textContent();
  const field = first.getByRole('textbox', { name: 'Go to a position or time' });
  await field.fill(`#${player.bet - 1}`);
  await field.press('Enter');
  await expect.poll(() => position.textContent()).toContain(`#${player.bet - 1}`);
  await expect.poll(() => first.getByTestId('version').textContent()).not.toBe(version);
  await picture(first, 'console-travel');
  await first.getByRole('link', { name: 'Compare with now' }).click();
  await first.getByRole('table', { name: 'Difference' }).waitFor();
  await expectAccessible(first, 'difference');
  await first.locator('#main').focus();
  await first.keyboard.press('n');
  await first.locator('.shell[data-past=false]').waitFor();
});

it('exports the events of a filter, with a manifest', async () => {
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

it('saves an export and any table as CSV, and prints a page with the state of the ledger', async () => {
  await goto(first, '/explorer?q=type:BetPlaced');
  await first.getByRole('button', { name: 'Export', exact: true }).click();
  const download = first.waitForEvent('download');
  await first.getByRole('button', { name: 'Export CSV' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(
    /^\uFEFFposition,time,type,/,
  );
  await first.keyboard.press('Escape');

  await goto(first, `/players`);
  const saved = first.waitForEvent('download');
  await first.getByRole('button', { name: /Save all rows as CSV/ }).click();
  const [head, titles, row] = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
  expect(head).toMatch(
    /^\uFEFFReelbook,[^,]+,\d+,[0-9a-f]{64},\d{4}-\d\d-\d\dT[^,]+Z,[1-9A-HJ-NP-Za-km-z]{32,44},\/players,complete: \d+ rows?$/,
  );
  expect(row?.split(',')).toHaveLength(titles?.split(',').length ?? 0);
  expect(row).toMatch(/[1-9A-HJ-NP-Za-km-z]{32,44}/);

  await goto(first, '/house');
  await first.getByRole('table').first().waitFor();
  await first.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await first
    .getByRole('button', { name: /^Print/ })
    .first()
    .click();
  await first.locator('body[data-printed=yes]').waitFor();
  await first.emulateMedia({ media: 'print' });
  await first.getByText(/Ledger at event #[\d,]+, hash [0-9a-f]{64}/).waitFor();
  expect(await first.getByRole('navigation').first().isVisible()).toBe(false);
  await first.emulateMedia({ media: null });
});

it('voids an open round, and decides adjustments by a second operator', async () => {
  const started = await openRound(site, player);
  await goto(first, `/events/${started}`);
  await first.getByRole('button', { name: 'Void round' }).click();
  await first.getByTestId('appended').getByText('BetVoided').waitFor();
  await act(first, 'Void round');
  await first.getByText('voided', { exact: true }).waitFor({ timeout: LONG_MS });

  await goto(first, `/players/${player.address}`);
  for (const amount of ['3000', '4000']) {
    await first.getByRole('button', { name: 'Adjust balance' }).click();
    await first.getByRole('dialog').getByRole('textbox', { name: 'Amount' }).fill(amount);
    await act(first, 'Adjust balance');
  }
  await goto(second, '/approvals');
  const waiting = second.getByRole('button', { name: 'Approve', exact: true });
  await expect.poll(() => waiting.count(), { timeout: LONG_MS }).toBe(2);
  await waiting.first().click();
  await second.getByTestId('appended').getByText('BalanceAdjusted').waitFor();
  await act(second, 'Approve');
  await expect.poll(() => waiting.count(), { timeout: LONG_MS }).toBe(1);
  await second.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await act(second, 'Withdraw');
  await expect.poll(() => waiting.count(), { timeout: LONG_MS }).toBe(0);
});

it('changes the role of an operator, and revokes it', async () => {
  await goto(first, '/configuration');
  const operators = first.getByRole('table', { name: 'Operators' }).getByRole('row');
  const row = operators.filter({ hasText: 'Viewer' });
  await row.getByRole('button', { name: 'Change role' }).click();
  await first
    .getByRole('dialog')
    .getByRole('radio', { name: /^Auditor/ })
    .check();
  await act(first, 'Change role');
  await goto(second, '/configuration');
  await second.getByRole('link', { name: '1 proposal' }).waitFor();
  await approve(second, 'auditor');
  const auditor = operators.filter({ hasText: 'Auditor' });
  await auditor.getByRole('button', { name: 'Revoke' }).click();
  await act(first, 'Revoke');
  await operators.filter({ hasText: 'Revoked' }).waitFor({ timeout: LONG_MS });
});

it('previews a change of the configuration, and applies it', async () => {
  await goto(first, '/configuration');
  const field = first.getByRole('textbox', { name: /withdraw\.automaticMaxTokenMinor/ });
  await field.fill('-1');
  await first.getByTestId('preview').getByRole('alert').first().waitFor();
  await field.fill('1');
  await first
    .getByTestId('preview')
    .getByText(/→ 1\.00 BSM$/)
    .waitFor();
  await first.getByTestId('preview').getByText('Effect').waitFor();
  await picture(first, 'console-configuration');
  await first.getByRole('button', { name: 'Change configuration' }).click();
  await first.getByTestId('appended').getByText('ConfigChanged').waitFor();
  await act(first, 'Change configuration');
  await first.getByRole('table', { name: 'History' }).getByText('because of the test').waitFor();
});

it('pays a withdrawal after two approvals', async () => {
  const id = await player.withdraw(20);
  // Opened from the list: its page returns 404 until the projection has it.
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
  await second.getByText('Finalized', { exact: true }).waitFor({ timeout: LONG_MS });
  await picture(second, 'console-withdrawal');
});

it('resolves an unmatched deposit', async () => {
  await goto(first, '/deposits?state=unmatched');
  await first.getByRole('button', { name: 'Resolve', exact: true }).click();
  await first.getByRole('button', { name: 'Credit the house' }).click();
  await first.getByTestId('appended').getByText('UnmatchedDepositResolved').waitFor();
  await act(first, 'Resolve');
  await first.getByText('No unmatched deposits.').waitFor({ timeout: LONG_MS });
});

it(
  'finds one event in a large ledger, by each identifier and by filters',
  async () => {
    const sought = await seedLedger(site, EVENTS);
    await findSought(first, site, sought);
  },
  60_000 + EVENTS * 3,
);

it('audits the ledger', async () => {
  await goto(first, '/audit');
  await first.getByRole('button', { name: 'Run audit' }).click();
  await first
    .getByTestId('audit-result')
    .getByText('All checks passed')
    .waitFor({ timeout: LONG_MS });
  await picture(first, 'console-replay');
});

it('lets a player check the anchor of a round on Solana', async () => {
  await askSolana(browser, site, player);
}, 180_000);

it('has no serious accessibility fault on any page, and logs no error', async () => {
  for (const path of [...PAGES, `/players/${player.address}`]) {
    await goto(first, path);
    await first.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => first.locator('.skeleton').count(), { timeout: LONG_MS }).toBe(0);
    await expectAccessible(first, path);
  }
  expect(faults).toEqual([]);
}, 180_000);

it('shows operators and their roles to admins only', async () => {
  await goto(second, '/configuration');
  await second.getByRole('button', { name: 'Add operator' }).waitFor({ timeout: LONG_MS });
  await goto(first, '/configuration');
  const operators = first.getByRole('table', { name: 'Operators' }).getByRole('row');
  const row = operators.filter({ hasNotText: 'you' }).filter({ hasText: 'Admin' });
  await row.getByRole('button', { name: 'Change role' }).click();
  await first.getByRole('radio', { name: /^Viewer/ }).check();
  await act(first, 'Change role');
  await goto(second, '/configuration');
  await second.getByText(/^Viewer/).waitFor({ timeout: LONG_MS });
  await second.getByText('Only an admin can change values.').waitFor({ timeout: LONG_MS });
  expect(await second.getByRole('button', { name: 'Add operator' }).count()).toBe(0);
  await expectAccessible(second, 'configuration of a viewer');
});

it('groups the faults of one altered digit under its cause, in human units, with a next step', async () => {
  await tamperWithEvent(site, player.bet, '"stakeMinor":"500"', '"stakeMinor":"400"');
  await goto(first, '/audit');
  await first.getByRole('button', { name: 'Run audit' }).click();
  const groups = first.getByTestId('finding-group');
  await groups.first().waitFor({ timeout: LONG_MS });
  expect(await groups.count()).toBe(1);
  await first
    .getByTestId('audit-result')
    .getByText(/faults, 1 cause$/)
    .waitFor();
  await groups.getByText(/probable consequences$/).click();
  await groups.getByText('points', { exact: false }).first().waitFor();
  await expectAccessible(first, 'audit findings');
  await picture(first, 'console-evidence-findings');
  await first.setViewportSize({ width: 390, height: 844 });
  const width = () => first.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(390);
  await picture(first, 'console-evidence-findings-phone');
  await first.setViewportSize({ width: 1440, height: 900 });
  await groups
    .getByRole('link', { name: /^Open #/ })
    .last()
    .click();
  await first.waitForURL(`**/events/${player.bet}`);
});

it('reports a tampered event on all pages', async () => {
  await goto(first, `/events/${player.bet}`);
  await first.getByRole('alert').filter({ hasText: 'Verification failed' }).waitFor();
  await first.locator('[data-verdict=failed]').first().waitFor();
  // What depends on the hash or on the body is not checked, so no check passes.
  const proof = first.locator('section', {
    has: first.getByRole('heading', { name: 'Proof', exact: true }),
  });
  await expect.poll(() => proof.getByText('not checked.').count()).toBeGreaterThanOrEqual(1);
  await first.getByText('Outcome and payout, recomputed in this browser not checked.').waitFor();
  expect(await first.locator('[data-verdict=passed]').count()).toBe(0);
  expect(await proof.locator('[data-verdict=failed]').count()).toBe(1);
  await picture(first, 'console-tampered');
  await goto(first, '/audit');
  await first.getByRole('button', { name: 'Run audit' }).click();
  const fault = first
    .getByTestId('audit-result')
    .getByText('The text or the hash of the event was altered');
  await fault.waitFor({ timeout: LONG_MS });
  await fault.getByRole('link', { name: `Open event ${player.bet}` }).waitFor();
  // Jobs show the outcome of each audit, and open its result again.
  const jobs = first.getByRole('table', { name: 'Jobs' });
  await jobs
    .getByText(/^\d+ faults, 1 cause$/)
    .first()
    .waitFor();
  const clean = jobs.getByRole('row').filter({ hasText: 'All checks passed' });
  await clean.getByRole('link', { name: 'Audit' }).first().click();
  const result = first.getByTestId('audit-result');
  await result.getByText('All checks passed').waitFor({ timeout: LONG_MS });
  await first.reload();
  await result.getByText('All checks passed').waitFor({ timeout: LONG_MS });
  await picture(first, 'console-replay-clean-again');
  await first.goBack();
  await fault.waitFor({ timeout: LONG_MS });
  const held = first.getByTestId('open-finding').filter({ hasText: 'its hash does not match' });
  await held.getByRole('button', { name: 'Accept' }).click();
  await first.getByTestId('appended').getByText('FindingAcceptanceProposed').waitFor();
  const dialog = first.getByRole('dialog');
  await dialog.getByText(/its hash does not match/).waitFor();
  await dialog.getByRole('link', { name: `Open event ${player.bet}` }).waitFor();
  await act(first, 'Accept', 'a disk of the test');
  await held.getByText('Accepted by one operator').waitFor({ timeout: LONG_MS });
  // For the next one, who decides on it.
  await goto(second, '/audit');
  const open = second.getByTestId('open-finding').filter({ hasText: 'its hash does not match' });
  await open.getByText('a disk of the test').waitFor({ timeout: LONG_MS });
});
