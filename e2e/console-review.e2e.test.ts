/** The preview of an action is the event that it appends, and the next operator sees the reason of the first one. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { newAddress } from './test-wallet.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;

useSite();

let player: GivenPlayer;
let first: Page;
let second: Page;

beforeAll(async () => {
  player = await givePlayer(site);
  [first] = await enterConsole(browser, await site.link('first'));
  [second] = await enterConsole(browser, await site.link('second'));
});
const goto = (page: Page, path: string) => page.goto(site.consoleUrl + path);

it('previews an adjustment by its amount: above the limit it is a proposal without a movement', async () => {
  await goto(first, `/players/${player.address}`);
  await first.getByRole('button', { name: 'Adjust balance' }).click();
  const amount = first.getByRole('dialog').getByRole('textbox', { name: 'Amount' });
  const preview = first.getByTestId('appended');
  await amount.fill('5');
  await preview.getByText('BalanceAdjusted').waitFor();
  await preview.getByText('+5.00').first().waitFor();
  await amount.fill('3000');
  await preview.getByText('Proposed', { exact: true }).waitFor();
  expect(await preview.locator('.ledger-line').count()).toBe(0);
  await expectAccessible(first, 'adjustment');
  await picture(first, 'console-adjustment');
  await act(first, 'Adjust balance');
});

it('shows the reason of the first approval to the second operator', async () => {
  // To another wallet, without a signature: two operators decide.
  const id = await player.withdraw(20.75, newAddress());
  await goto(first, '/withdrawals');
  await first
    .getByRole('row', { name: /20\.75/ })
    .getByText('20.75')
    .click({ timeout: LONG_MS });
  await first.getByRole('button', { name: 'Approve', exact: true }).click();
  await act(first, 'Approve', 'known for years');
  await first.getByRole('button', { name: 'Approved by you' }).waitFor({ timeout: LONG_MS });
  await goto(second, `/withdrawals/${id}`);
  await second.getByRole('button', { name: 'Approve', exact: true }).click();
  await second.getByRole('dialog').getByText('known for years').waitFor({ timeout: LONG_MS });
  await picture(second, 'console-second-approval');
});

it('decides a withdrawal with what is known about its player on the page', async () => {
  const id = await player.withdraw(4.25, newAddress());
  await goto(first, `/withdrawals/${id}`);
  await first.getByText('no player', { exact: true }).waitFor({ timeout: LONG_MS });
  for (const fact of ['Deposited', 'Staked', 'Held for withdrawals', 'No limits, no exclusion.']) {
    await first.getByText(fact, { exact: true }).waitFor();
  }
  await first.getByTestId('explained').getByText('Deposits credited').waitFor();
  const others = first.getByRole('table', { name: 'Other withdrawals of the player' });
  await others.getByRole('row', { name: /20\.75/ }).waitFor();
  await first.getByRole('button', { name: 'Add note' }).click();
  const dialog = first.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Note/ }).fill('asked for papers');
  await dialog.getByRole('button', { name: 'Add note', exact: true }).click();
  await first.getByText('asked for papers').waitFor({ timeout: LONG_MS });
  await expectAccessible(first, 'withdrawal');
});

it('has the event of an action on the page when its dialog closes, also while read models are behind', async () => {
  await goto(first, `/players/${player.address}`);
  await first.getByTestId('explained-balance').first().waitFor();
  await first.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = first.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('7');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('a gift');
  const submit = dialog.getByRole('button', { name: 'Adjust balance', exact: true });
  await expect.poll(() => submit.isEnabled(), { timeout: LONG_MS }).toBe(true);
  // The page at the moment when the dialog is removed.
  await first.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('[role=dialog]')) return;
      seen.disconnect();
      // As of which position.
      const shown = document.querySelector('[data-testid=explained-balance] span.text-xs');
      document.body.dataset.shown = shown?.textContent ?? 'nothing';
    });
    seen.observe(document.body, { childList: true, subtree: true });
  });
  await site.caughtUp();
  await site.withPool(
    async (pool) => {
      const projector = await pool.connect();
      // No read model advances meanwhile.
      await projector.query('begin; select from checkpoints for update');
      const answered = first.waitForResponse((response) => response.url().endsWith('/adjustments'));
      await submit.click();
      await answered;
      await projector.query('commit');
      projector.release();
    },
    { role: 'owner' },
  );
  await dialog.waitFor({ state: 'detached', timeout: LONG_MS });
  const toast = first.getByText(/^Appended at #[\d,]+\.$/).last();
  const position = (await toast.textContent())?.replace(/\D/g, '');
  const shown = await first.evaluate(() => document.body.dataset.shown);
  const at = shown?.match(/^As of #([\d,]+)$/)?.[1]?.replaceAll(',', '');
  expect(Number(at)).toBeGreaterThanOrEqual(Number(position));
});

it('shows the event of an action without a further one when read models follow only after its dialog has closed', async () => {
  await goto(first, `/players/${player.address}`);
  await first.getByRole('button', { name: 'Add note' }).click();
  const dialog = first.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Note/ }).fill('read late');
  const submit = dialog.getByRole('button', { name: 'Add note', exact: true });
  await expect.poll(() => submit.isEnabled(), { timeout: LONG_MS }).toBe(true);
  const note = first.locator('main').getByText('read late');
  await site.caughtUp();
  await site.withPool(
    async (pool) => {
      const projector = await pool.connect();
      await projector.query('begin; select from checkpoints for update');
      await submit.click();
      await dialog.waitFor({ state: 'detached', timeout: LONG_MS });
      expect(await note.count()).toBe(0);
      await projector.query('commit');
      projector.release();
    },
    { role: 'owner' },
  );
  await note.waitFor({ timeout: LONG_MS });
});

it('names the position of a decision on a withdrawal, and has one count of its approvals', async () => {
  const id = await player.withdraw(3.5, newAddress());
  await goto(first, `/withdrawals/${id}`);
  const held = first.locator('dt', { hasText: 'On hold' }).locator('xpath=following-sibling::dd');
  await held.getByText(/awaiting approval, 0 of 2$/).waitFor({ timeout: LONG_MS });
  await first.getByRole('button', { name: 'Approve', exact: true }).click();
  await act(first, 'Approve', 'known for years');
  await held.getByText(/awaiting approval, 1 of 2$/).waitFor({ timeout: LONG_MS });
  expect(await first.getByText(/awaiting approval, 0 of 2/).count()).toBe(0);
  const last = first.getByRole('table', { name: 'History' }).locator('tbody tr').last();
  await last.getByText(/approval 1 of 2/).waitFor();
  const position = await last.getByRole('link', { name: /^Open event/ }).textContent();
  await first.getByText(`Appended at ${position}.`).waitFor();
});

it('lists the withdrawals of one player, and names a denied one', async () => {
  const id = await player.withdraw(6.5, newAddress());
  await goto(first, `/withdrawals/${id}`);
  await first.getByRole('button', { name: 'Deny', exact: true }).click({ timeout: LONG_MS });
  await act(first, 'Deny');
  await goto(first, '/withdrawals?status=all');
  const field = first.getByRole('textbox', { name: 'Wallet, public ID or nickname' });
  await field.fill(player.address.slice(-6));
  const found = first.getByRole('list', { name: 'Players found' });
  await found.getByText(player.address).click({ timeout: LONG_MS });
  await first.waitForURL(`**/withdrawals?status=all&wallet=${player.address}`);
  await first.getByRole('row', { name: /6\.50.*Denied/ }).waitFor({ timeout: LONG_MS });
  await expectAccessible(first, 'withdrawals of a player');
  await picture(first, 'console-withdrawals-of-player');
});

it('marks a suspended player, and refreshes the preview of another dialog', async () => {
  for (const page of [first, second]) {
    await goto(page, `/players/${player.address}`);
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByTestId('appended').getByText('PlayerSuspended').waitFor();
  }
  await act(first, 'Suspend');
  await first.getByRole('heading', { name: /Suspended/ }).waitFor({ timeout: LONG_MS });
  // The state has changed: the action of the second dialog is refused now. It never becomes the opposite action.
  await second.getByTestId('appended').getByRole('alert').waitFor({ timeout: LONG_MS });
});
