/** Proposals of one admin: the other sees, stops or approves them. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, approve, enterConsole } from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;

useSite();

let first: Page;
let second: Page;
let faults: string[];
beforeAll(async () => {
  [first] = await enterConsole(browser, await site.link('first'));
  [second, faults] = await enterConsole(browser, await site.link('second'));
});
const goto = (page: Page, path: string) => page.goto(site.consoleUrl + path);

it('loosens a value with two admins after a wait in which one of them can stop it', async () => {
  const path = 'withdraw.hourMaxTokenMinor';
  const propose = async () => {
    await goto(first, '/configuration');
    await first.getByRole('textbox', { name: new RegExp(path.replace('.', '\\.')) }).fill('50000');
    await first.getByRole('button', { name: 'Change configuration' }).click();
    await first.getByTestId('appended').getByText('Proposed', { exact: true }).waitFor();
    await act(first, 'Propose');
    await goto(second, '/approvals');
    return second.getByTestId('proposal').filter({ hasText: path });
  };
  const stopped = await propose();
  await stopped.getByRole('button', { name: 'Withdraw' }).click();
  await act(second, 'Withdraw');
  await stopped.waitFor({ state: 'detached', timeout: LONG_MS });
  await propose();
  await expectAccessible(second, 'proposals');
  await picture(second, 'console-proposals');
  await goto(first, '/approvals');
  const own = first
    .getByTestId('proposal')
    .filter({ hasText: path })
    .getByRole('button', { name: 'Approve' });
  await approve(second, path);
  await own.waitFor({ state: 'detached', timeout: LONG_MS });
  await goto(second, '/configuration');
  await second
    .getByRole('table', { name: 'History' })
    .getByRole('row')
    .filter({ hasText: path })
    .first()
    .waitFor({ timeout: LONG_MS });
});

it('lets the other admin approve a switch without a wait', async () => {
  await goto(first, '/overview');
  const exchange = first.locator('div').filter({ hasText: /^Exchangeexchange/ });
  await exchange.getByRole('button', { name: 'Stop' }).click();
  await act(first, 'Stop');
  await exchange.getByRole('button', { name: 'Resume' }).click();
  await first.getByTestId('appended').getByText('Proposed', { exact: true }).waitFor();
  await act(first, 'Resume');
  await goto(first, '/approvals');
  const own = first.getByTestId('proposal').filter({ hasText: 'exchange.enabled' });
  await own.getByText('another operator must approve').waitFor();
  expect(await own.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  // Answered only when the page has followed the ledger to the approval: the proposal is no more.
  const dryRuns: string[] = [];
  await second.route(/\/proposals\/\d+\/approve$/, async (route) => {
    const response = await route.fetch();
    second.on('request', (request) => {
      if (request.url().endsWith('/dry-run')) dryRuns.push(request.url());
    });
    const { data } = (await response.json()) as { data: { position: number } };
    const figures = () => second.getByTestId('figures-at').textContent();
    await expect
      .poll(async () => Number((await figures())?.replace(/\D/g, '')), { timeout: LONG_MS })
      .toBeGreaterThanOrEqual(data.position);
    await route.fulfill({ response });
  });
  // The page waits for the answer, however slow the machine is.
  await second.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await goto(second, '/overview');
  await approve(second, 'exchange.enabled');
  expect(dryRuns).toEqual([]);
  // What is not found is logged by the browser.
  expect(faults).toEqual([]);
  await goto(first, '/overview');
  await exchange.getByRole('button', { name: 'Stop' }).waitFor({ timeout: LONG_MS });
});

it('shows an approved proposal without actions, and an approval whose effect is refused as refused', async () => {
  await goto(first, '/overview');
  const exchange = first.locator('div').filter({ hasText: /^Exchangeexchange/ });
  await exchange.getByRole('button', { name: 'Stop' }).click();
  await act(first, 'Stop');
  await exchange.getByRole('button', { name: 'Resume' }).click();
  await first.getByTestId('appended').getByText('Proposed', { exact: true }).waitFor();
  await act(first, 'Resume');
  await first.getByText('It awaits approval by another operator.').waitFor();
  // As while its worker fails, and as when the proposer is revoked meanwhile.
  const answered = (path: RegExp, part: object) =>
    second.route(path, async (route) => {
      const response = await route.fetch();
      const { data, ...envelope } = (await response.json()) as { data: object };
      const changed = Array.isArray(data)
        ? data.map((one) => ({ ...one, ...part }))
        : { ...data, ...part };
      await route.fulfill({ response, json: { ...envelope, data: changed } });
    });
  await answered(/\/proposals$/, { approved: true });
  await goto(second, '/approvals');
  const proposal = second.getByTestId('proposal').filter({ hasText: 'exchange.enabled' });
  await proposal.getByText('approved; it is being executed').waitFor({ timeout: LONG_MS });
  expect(await proposal.getByRole('button', { name: /^(Approve|Withdraw)$/ }).count()).toBe(0);
  await second.unrouteAll({ behavior: 'wait' });
  const refusal = 'a person has lost the role';
  await answered(/\/proposals\/\d+\/approve$/, { status: 'refused', refusal });
  await approve(second, 'exchange.enabled');
  await second.getByText(`Approved, but refused: ${refusal}`).waitFor();
  expect(await second.getByText(/^Appended at #[\d,]+\.$/).count()).toBe(0);
});
