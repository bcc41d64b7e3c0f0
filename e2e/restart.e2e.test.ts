/** Pages that stay open while the server is stopped and started again. */
import { freePort } from '@reelbook/runtime/ports';
import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { enterConsole, silence } from './console-given.ts';
import {
  chosenSeeds,
  deposit,
  drawnFrom,
  exchange,
  fillWallet,
  landed,
  respond,
  signIn,
  slotHistory,
  waitForText,
  withdrawal,
} from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, ownSite, page, site, useOwnSite, useVisitor } from './use-site.ts';

const wait = { timeout: 60_000 };
/** After that the page discards a bet without a response. */
const TOO_LATE_MS = 25_000;
/** A minute of blocks, and their finality. */
const EXPIRY_MS = 240_000;

// Its own: it restarts the site. The console keeps its port, so that its page finds it again.
useOwnSite({ ADMIN_PORT: String(await freePort()) });
useVisitor();

const spin = () => page.getByRole('button', { name: 'SPIN' }).click();

async function openSlot(): Promise<void> {
  await page.goto(`${site.url}/slot-machine`);
  await page.getByRole('button', { name: 'SPIN' }).waitFor();
}

it('a bet pressed while the server is down is not placed when the page is opened again', async () => {
  await installWallet(context);
  await signIn(page, site.url);
  await openSlot();
  // So that the client seed is set before the stop.
  await spin();
  await landed(page);
  await ownSite.restart(async () => {
    await spin();
    await waitForText(page, 'the server does not respond.');
  });
  await page.clock.setFixedTime(Date.now() + TOO_LATE_MS);
  await page.reload();
  await waitForText(page, 'The bet of 1 was not placed. Nothing was staked.');
  expect((await slotHistory(site, page)).total).toBe(1);
});

it('an exchange and a withdrawal sent while the server is down are not made later', async () => {
  await installWallet(context);
  await signIn(page, site.url);
  const openWallet = async () => {
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('heading', { name: 'Withdraw', exact: true }).waitFor();
  };
  await openWallet();
  await exchange.send(page, '600');
  await waitForText(page, 'Exchanged: you received 6.00 BSM.');
  for (const { kind, amount, send } of [exchange, withdrawal]) {
    await ownSite.restart(async () => {
      await send(page);
      await waitForText(page, `Your ${kind} of ${amount} at`);
      await waitForText(page, 'the server does not respond.');
    });
    await page.clock.setFixedTime(Date.now() + TOO_LATE_MS);
    await openWallet();
    await waitForText(page, `The ${kind} of ${amount} was not made. Nothing was moved.`);
    expect(await page.locator('.toast', { hasText: 'failed' }).count()).toBe(0);
    await page.clock.setFixedTime(Date.now());
  }
});

it('a deposit cut by a stop is credited after it, and one that was not sent expires', async () => {
  await installWallet(context);
  await signIn(page, site.url);
  const openWallet = async () => {
    await page.goto(`${site.url}/wallet`);
    await deposit.amount(page).waitFor();
  };
  const notice = deposit.panel(page).getByText('Your deposit of 5.00 BSM at');
  /** Resolves when the deposit has been cut. */
  const cutSending = (cut: (route: Route) => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      void page.route('**/chain', async (route) => {
        if (!route.request().postData()?.includes('sendTransaction')) return route.fallback();
        await cut(route);
        await route.abort();
        resolve();
      });
    });
  await openWallet();
  await fillWallet(page);
  await respond(page, '/transaction/deposit', 'down');
  await page.route('**/api/v1/user/payments/**', (route) => route.abort());
  const isSent = cutSending((route) => route.fetch());
  await deposit.send(page);
  await isSent;
  await ownSite.restart(() => notice.waitFor());
  await page.unrouteAll();
  await waitForText(page, 'Your deposit is credited.');
  await notice.waitFor({ state: 'detached' });

  const isCut = cutSending(async () => {});
  await deposit.send(page);
  await isCut;
  await ownSite.restart(async () => {});
  await openWallet();
  const expired = page.getByText(
    'The deposit of 5.00 BSM was not made: it did not reach the chain',
  );
  await expired.waitFor({ timeout: EXPIRY_MS });
  await notice.waitFor({ state: 'detached' });
  expect(await page.locator('.toast', { hasText: 'failed' }).count()).toBe(0);
});

it('a rotation retried after a restart sends the same client seed', async () => {
  const rotations = '**/api/v1/fairness/rotate';
  await installWallet(context);
  await context.route(rotations, (route) => route.abort());
  await signIn(page, site.url);
  await openSlot();
  await expect.poll(async () => (await chosenSeeds(page)).length).toBe(1);
  const [first] = await chosenSeeds(page);
  await context.unroute(rotations);
  await ownSite.restart(async () => {
    await spin();
    await waitForText(page, 'Your client seed could not be set');
  });
  await openSlot();
  await spin();
  await landed(page);
  expect(await drawnFrom(site, page)).toEqual([first]);
});

it('the console shows no state as current while the server is stopped, and recovers', async () => {
  const [desk] = await enterConsole(browser, await site.link('first'));
  const rate = desk.getByText(/^Live · /);
  await rate.waitFor(wait);
  await ownSite.restart(async () => {
    await silence(desk).waitFor(wait);
    expect(await rate.count()).toBe(0);
    await expectAccessible(desk, 'silent');
    await picture(desk, 'console-silent');
  });
  const shown = async () => [await rate.count(), await silence(desk).count()];
  await expect.poll(shown, wait).toEqual([1, 0]);
});
