/** A restore of the ledger, from the command in the shell to its execution by two admins in the console. */
import { foldedState } from '@reelbook/event-store/read-stream';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { restoresOf } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { WAIT } from '@reelbook/testing/wait';
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole } from './console-given.ts';
import { browser, ownSite, site, useOwnSite } from './use-site.ts';

const LONG_MS = WAIT.timeout;

// The command pauses withdrawals.
useOwnSite();

const epoch = () =>
  site.withPool(async (pool) => {
    const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
    return restoresOf(state).epoch;
  });

it('is proposed by the command, shown with what was lost, and executed once both admins approve it', async () => {
  const [first] = await enterConsole(browser, await site.link('first'));
  const [second] = await enterConsole(browser, await site.link('second'));
  const { output } = await site.run('restored', '--reason', 'a backup of yesterday');
  expect(output).toMatch(/^PROPOSED +as number \d+, .*two admins must approve it in the console$/m);
  const proposalOn = async (page: Page) => {
    await page.goto(`${site.consoleUrl}/approvals`);
    const proposal = page.getByTestId('proposal').filter({ hasText: 'Restored ledger' });
    await proposal.getByText(/^The ledger went back to #/).waitFor({ timeout: LONG_MS });
    await proposal.getByText('a backup of yesterday').waitFor();
    return proposal;
  };
  const onFirst = await proposalOn(first);
  const onSecond = await proposalOn(second);
  await expectAccessible(first, 'restore');
  await picture(first, 'console-restore');
  await onFirst.getByRole('button', { name: 'Approve' }).click();
  await first.getByTestId('appended').getByText('LedgerRestored').waitFor({ timeout: LONG_MS });
  await act(first, 'Approve');
  await onFirst.getByText('another operator must approve').waitFor({ timeout: LONG_MS });
  expect(await onFirst.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  expect(await epoch()).toBe(0);
  await onSecond.getByText('Approved by').waitFor({ timeout: LONG_MS });
  await onSecond.getByRole('button', { name: 'Approve' }).click();
  const dialog = second.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('compared with the chain');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  // The program knows the lost ledger: it ends, and its supervisor starts it again.
  await vi.waitFor(() => expect(fetch(`${site.url}/health`)).rejects.toThrow(), WAIT);
  await ownSite.restart(async () => {});
  expect(await epoch()).toBe(1);
});
