import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import {
  act,
  enterConsole,
  givePlayer,
  giveStranger,
  setTheme,
  stopProjection,
} from './console-given.ts';
import { newAddress } from './test-wallet.ts';
import { browser, site, useOwnSite } from './use-site.ts';

const LONG = { timeout: 60_000, interval: 500 };

// Its own: an empty ledger, and the numbers of what waits for an operator.
useOwnSite();

let page: Page;
let faults: string[];
beforeAll(async () => {
  [page, faults] = await enterConsole(browser, await site.link('first'));
});
const goto = (path: string) => page.goto(site.consoleUrl + path);
const items = () => page.getByTestId('needs-action').getByRole('link').allInnerTexts();

it('names the first steps while no player has logged in', async () => {
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/overview');
  await expect.poll(items).toContain('The ledger has not been audited in the console yet');
  await expectAccessible(page, 'overview of an empty ledger');
  await picture(page, 'console-overview-empty');
});

it('lists what waits for an operator, each with the page that handles it', async () => {
  const player = await givePlayer(site);
  await giveStranger(site, player);
  await player.withdraw(40);
  await goto('/overview');
  await page.getByRole('link', { name: '1 unmatched deposit' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Getting started' }).count()).toBe(0);
  // On hold for two operators: one case, one row.
  const id = await player.withdraw(5, newAddress());
  await site.caughtUp();
  await expect
    .poll(async () => {
      await goto(`/withdrawals/${id}`);
      const hold = page.getByText('On hold', { exact: true }).waitFor({ timeout: 10_000 });
      return hold.then(
        () => true,
        () => false,
      );
    }, LONG)
    .toBe(true);
  await goto('/overview');
  await page.getByRole('link', { name: /awaits approval/ }).waitFor();
  const ofPayments = (await items()).filter((text) => text.includes('withdrawal'));
  expect(ofPayments).toEqual([expect.stringMatching(/^1 withdrawal awaits approval/)]);
  await picture(page, 'console-overview-once');
  await page.getByRole('link', { name: '1 unmatched deposit' }).click();
  await page.getByRole('heading', { name: 'Unmatched deposits', level: 2 }).waitFor();
});

it('resumes a stopped projection from the row of its fault', async () => {
  await stopProjection(site, 'seeds');
  await goto('/engine');
  await page.waitForURL('**/overview');
  const fault = page.getByTestId('needs-action').locator('li', { hasText: 'seeds has stopped' });
  await fault.getByText('a test').waitFor();
  await expectAccessible(page, 'overview with a stopped projection');
  await picture(page, 'console-overview-stopped');
  await fault.getByRole('button', { name: 'Resume' }).click();
  await page.getByTestId('appended').getByText('ReadModelOperationStarted').waitFor();
  await act(page, 'Resume');
  await fault.waitFor({ state: 'detached' });
});

it('shows when an audit is due, and its faults while another one runs or was stopped', async () => {
  const query = (sql: string) => site.withPool((pool) => pool.query(sql));
  const result = (clean: boolean, verdict: string) =>
    JSON.stringify({ clean, verdict, findings: 2, events: 9, first: null, unproven: ['a node'] });
  await query(`insert into admin_jobs (kind, state, started_by, holder, lease_until, ended_at, result)
    values ('audit', 'done', 'a test', 'a test', now(), now() - interval '25 hours',
      '${result(false, 'FAULTY')}')`);
  await query(`insert into admin_jobs (kind, started_by, holder, lease_until)
    values ('audit', 'a test', 'another', now() + interval '1 hour')`);
  const hasFaults = async () => {
    await goto('/overview');
    await page.getByRole('link', { name: /^An audit is due: the last one ended/ }).waitFor();
    await page.getByRole('link', { name: 'The last audit has 2 findings' }).waitFor();
    await page.getByRole('link', { name: '2 faults', exact: true }).waitFor();
  };
  await hasFaults();
  await query(`update admin_jobs set state = 'cancelled', ended_at = now()
    where holder = 'another'`);
  await hasFaults();
  await query(`update admin_jobs set result = '${result(true, 'UNPROVEN')}' where state = 'done'`);
  await goto('/overview');
  await page.getByRole('link', { name: 'Audited to #9, unproven' }).waitFor();
  await page.getByRole('link', { name: 'The last audit could not prove 1 item' }).waitFor();
  await expectAccessible(page, 'overview with an unproven audit');
});

it('names a stopped function on every page', async () => {
  await goto('/switches');
  await page.waitForURL('**/overview');
  await page.getByRole('button', { name: 'Stop' }).first().click();
  await act(page, 'Stop');
  const note = page.getByTestId('paused');
  await note.waitFor();
  for (const path of ['/players', '/house', '/overview']) {
    await goto(path);
    await note.waitFor();
  }
  await page.getByText('1 function is stopped').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await setTheme(page, 'light');
  await page.reload();
  await page.getByText('1 function is stopped').waitFor();
  await expectAccessible(page, 'overview, phone, light');
  await picture(page, 'console-overview-phone-light');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(faults).toEqual([]);
});
