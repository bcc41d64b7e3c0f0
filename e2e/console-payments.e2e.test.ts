/** Operators handle failed payments, with faults that the tests inject. */

import type { AdminData } from '@reelbook/admin/answers';
import { prepareApp } from '@reelbook/cli/standalone/player-app';
import { start } from '@reelbook/simulator/client/timed-play';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole } from './console-given.ts';
import { browser, useBrowser } from './use-site.ts';

const LONG_MS = 60_000;
/** A blockhash expires after this number of blocks. */
const BLOCKHASH_BLOCKS = 151;

let bank: PayingSite;
let admin: AdminSite;
let first: Page;
let second: Page;

// Its own site, in this process: the tests decide what its chain does.
useBrowser();
beforeAll(async () => {
  const webRoot = await prepareApp('web-admin', () => {});
  // A long grace period, so that open rounds stay open.
  bank = await startPayingSite({ sweep: { everyMs: 1_000, graceMs: 3_600_000 } });
  admin = await startAdminSite(bank.site, { webRoot });
  const [one, other] = admin.links;
  [first] = await enterConsole(browser, `${admin.url}/#link=${one}`);
  [second] = await enterConsole(browser, `${admin.url}/#link=${other}`);
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
});
afterAll(async () => {
  await admin?.close();
  await bank?.close();
});

it('marks an attempt expired that the cashier cannot decide, and pays with the next attempt', async () => {
  const { faults } = bank.chain.local;
  const player = await bank.player(100n * BSM);
  await bank.deposit(player, 100n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(100n * BSM));
  // The first attempt never lands, and then one of two nodes is down.
  faults.dropSends(1_000);
  const body = { amount: 10, to_address: player.wallet.address };
  const response = await player.call<{ withdrawal_id: string }>('/transaction/withdraw', { body });
  const id = response.data.withdrawal_id;
  await first.goto(`${admin.url}/withdrawals/${id}`);
  await first.getByText('signed, attempt 1').waitFor({ timeout: LONG_MS });
  faults.away('second');
  bank.chain.local.advance(BLOCKHASH_BLOCKS + 50);
  await first.getByRole('button', { name: 'Mark attempt expired' }).click({ timeout: LONG_MS });
  const { data } = await admin.by.viewer.call<{ last_valid_block_height: number }>(
    `/admin/withdrawals/${id}`,
  );
  const dialog = first.getByRole('dialog');
  const height = dialog.getByRole('textbox', { name: /^Finalized block height/ });
  // Too low: it could still land. The dry run is refused, and the dialog does not offer the action.
  await height.fill(String(data.last_valid_block_height));
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('two nodes checked by hand');
  await dialog.getByTestId('appended').getByRole('alert').waitFor();
  expect(await dialog.getByRole('button', { name: 'Mark attempt expired' }).isDisabled()).toBe(
    true,
  );
  await height.fill(String(data.last_valid_block_height + 1));
  await dialog.getByText('WithdrawalAttemptFailed').waitFor();
  await act(first, 'Mark attempt expired', 'two nodes checked by hand');
  await first.getByText('attempt 1 expired').waitFor({ timeout: LONG_MS });
  faults.clear();
  await bank.until(async () => {
    expect(await first.getByText('Finalized', { exact: true }).count()).toBeGreaterThan(0);
  });
  await first.getByText('signed, attempt 2').waitFor();
  await bank.expectIntact();
});

it('credits a large unmatched deposit to the house when another operator approves it', async () => {
  const stranger = await bank.chain.fund(20n * BSM);
  await bank.chain.deposit(stranger, 20n * BSM);
  await bank.until(async () => {
    const { data } = await admin.by.viewer.call<AdminData<'deposits'>>(
      '/admin/deposits?state=unmatched',
    );
    expect(data.deposits).toHaveLength(1);
  });
  await first.goto(`${admin.url}/deposits?state=unmatched`);
  await first.getByRole('button', { name: 'Resolve', exact: true }).click();
  await first.getByRole('button', { name: 'Credit the house' }).click();
  await first.getByTestId('appended').getByText('Proposed', { exact: true }).waitFor();
  await act(first, 'Resolve');
  // Another operator sees the resulting event.
  await second.goto(`${admin.url}/deposits?state=unmatched`);
  await second.getByText('awaiting another operator').click({ timeout: LONG_MS });
  await second.getByTestId('proposal').getByRole('button', { name: 'Approve' }).click();
  await second.getByTestId('appended').getByText('UnmatchedDepositResolved').waitFor();
  await act(second, 'Approve');
  await second.goto(`${admin.url}/deposits?state=unmatched`);
  await second.getByText('No unmatched deposits.').waitFor({ timeout: LONG_MS });
  await bank.expectIntact();
});

it('lists and counts a proposed void at every width, and withdraws or approves it', async () => {
  const player = await bank.player(0n);
  const go = (page: Page, path: string) => page.goto(admin.url + path);
  await go(first, '/configuration');
  const bound = /adjust\.operatorDayMaxPointsMinor/;
  await first.getByRole('textbox', { name: bound }).fill('0');
  await first.getByRole('button', { name: 'Change configuration' }).click();
  await act(first, 'Change configuration');
  const { bet_position } = (await start(player, 'snake')).data;
  const propose = async () => {
    await untilCaughtUp(bank.site.pool);
    await go(first, `/events/${bet_position}`);
    await first.getByRole('button', { name: 'Void round' }).click();
    await act(first, 'Void round');
    await go(second, '/approvals');
    return second.getByTestId('proposal').filter({ hasText: 'Void' });
  };
  const stopped = await propose();
  const { width, height } = second.viewportSize() ?? { width: 1440, height: 900 };
  await second.setViewportSize({ width: 390, height });
  await second.getByRole('link', { name: '1 proposal' }).click();
  await second.getByRole('button', { name: 'Open menu' }).click();
  await second.getByRole('link', { name: 'Approvals 1 pending' }).click();
  await stopped.waitFor();
  await expectAccessible(second, 'a proposed void on a phone');
  await picture(second, 'console-void-phone');
  await second.setViewportSize({ width, height });
  await stopped.getByRole('button', { name: 'Withdraw' }).click();
  await second.getByTestId('appended').getByText('Withdrawn', { exact: true }).waitFor();
  await act(second, 'Withdraw');
  await stopped.waitFor({ state: 'detached', timeout: LONG_MS });
  const approved = await propose();
  await go(first, '/approvals');
  // With the wallet: a name alone could be another operator's.
  await first
    .getByTestId('proposed-by')
    .getByText(/\S{4}…\S{4}/)
    .waitFor({ timeout: LONG_MS });
  const own = first.getByTestId('proposal');
  await own.getByRole('button', { name: 'Withdraw' }).waitFor();
  expect(await own.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  await approved.getByRole('button', { name: 'Approve' }).click();
  await second.getByTestId('appended').getByText('BetVoided').waitFor();
  await act(second, 'Approve');
  await own.waitFor({ state: 'detached', timeout: LONG_MS });
});

it('stops a running audit', async () => {
  const holder = await bank.site.database.pool('owner', 1).connect();
  // The comparison of read models waits for it.
  await holder.query('begin; lock table projections.seeds_v1 in access exclusive mode');
  await first.goto(`${admin.url}/audit`);
  await first.getByRole('button', { name: 'Run audit' }).click();
  await first.getByRole('button', { name: 'Stop', exact: true }).click({ timeout: LONG_MS });
  await first.getByRole('dialog').getByText('Nothing is appended to the ledger.').waitFor();
  const { data } = await admin.by.viewer.call<{ running: { id: number; updated_at: string } }>(
    '/admin/jobs',
  );
  await act(first, 'Stop', 'the wrong one');
  // After three more heartbeats the process has seen the cancellation, unless it had not come to the lock.
  let [beats, last] = [0, data.running.updated_at];
  await expect
    .poll(
      async () => {
        const { data: job } = await admin.by.viewer.call<{ updated_at: string; state: string }>(
          `/admin/jobs/${data.running.id}`,
        );
        if (job.updated_at !== last) beats++;
        last = job.updated_at;
        return beats > 2 || job.state !== 'running';
      },
      { timeout: LONG_MS },
    )
    .toBe(true);
  await holder.query('commit');
  holder.release();
  const job = first.getByRole('table', { name: 'Jobs' }).getByRole('row').nth(1);
  await job.getByText('stopped', { exact: true }).waitFor({ timeout: LONG_MS });
});

it('shows why a withdrawal is on hold, and errors of the server', async () => {
  const player = await bank.player(3_000n * BSM);
  await bank.deposit(player, 3_000n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(3_000n * BSM));
  const body = { amount: 2_000, to_address: player.wallet.address };
  const { data } = await player.call<{ withdrawal_id: string }>('/transaction/withdraw', { body });
  await second.goto(`${admin.url}/withdrawals/${data.withdrawal_id}`);
  const hold = second.getByText('awaiting approval, 0 of 2', { exact: true });
  await hold.first().waitFor({ timeout: LONG_MS });
  await second.goto(`${admin.url}/events/999999`);
  await second
    .getByText(/the ledger has no event at position 999999$/)
    .waitFor({ timeout: LONG_MS });
});
