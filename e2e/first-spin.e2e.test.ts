import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { landed, openConnect, slotHistory } from './player.ts';
import { browser, site, useSite } from './use-site.ts';

const SYMBOLS = ['comet', 'crown', 'clover', 'coin'];

useSite();

async function connect(page: Page) {
  await openConnect(page);
  await page.getByRole('button', { name: /Development wallet/ }).click();
  await expect.poll(() => page.getByText('1,000.00').first().isVisible()).toBe(true);
}

async function spinOnce(page: Page) {
  await page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await landed(page);
}

describe.each(['phone', 'desktop'] as const)(
  'from the first visit to a verified spin, on a %s',
  (width) => {
    it('connects, spins, reveals and verifies', async () => {
      const { context, page, faults } = await visit(browser, width, { moving: true });
      await page.goto(site.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page, 'home');
      await picture(page, `home-${width}`);

      await connect(page);
      await page.goto(`${site.url}/slot`);
      await page.waitForURL('**/slot-machine');
      await page.getByText('No game history yet. Start playing!').waitFor();
      await spinOnce(page);
      await expectAccessible(page, 'slot machine');
      await picture(page, `slot-${width}`);

      await site.caughtUp();
      await page.getByRole('button', { name: 'Reveal and verify' }).first().click();
      await page.getByText('verified in your browser').first().waitFor();
      await picture(page, `slot-verified-${width}`);

      await page.goto(`${site.url}/fairness`);
      await page.locator('main details summary').first().click();
      const first = page
        .getByRole('region', { name: /^All nonces/ })
        .getByRole('listitem')
        .first();
      await first.getByText('Slot machine').waitFor();
      expect(await first.textContent()).toMatch(/^0/);
      await page.goto(`${site.url}/slot-machine`);

      // The result is in the ledger: it survives a reload.
      await page.reload();
      await page.getByRole('button', { name: 'SPIN' }).waitFor();
      await page.locator('text=/^#?[0-9,]+$/').first().waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });
  },
);

it('a reload during a spin shows the result afterwards, once', async () => {
  const { context, page } = await visit(browser, 'desktop', { moving: true });
  await page.goto(site.url);
  await connect(page);
  await page.goto(`${site.url}/slot-machine`);
  await page.getByText('No game history yet. Start playing!').waitFor();
  let place = () => {};
  const placed = new Promise<void>((resolve) => {
    place = resolve;
  });
  // Placed, but not answered: the reels turn until the reload.
  await page.route('**/game/slot-machine/bet', async (route) => {
    await route.fetch();
    place();
  });
  await page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await placed;
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await page.reload();
  // Without a press: the reels turn again and land on the recorded result.
  await landed(page);
  const shown = await page.getByRole('img', { name: /^Reels: / }).getAttribute('aria-label');
  const { total, items } = await slotHistory(site, page);
  expect(total).toBe(1);
  const names = items[0]?.symbols[0]?.map((id) => SYMBOLS[id - 1]).join(', ');
  expect(shown).toBe(`Reels: ${names}`);
  await context.close();
});

it('the audit of the played rounds is clean', async () => {
  const audit = await site.run('audit');
  expect(audit.output).toContain('CLEAN');
  expect(audit.code).toBe(0);
});
