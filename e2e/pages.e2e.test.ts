/** Every page as it looks and as it is read: pictures at three widths in both languages, axe in both themes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, openBrowser, picture, visit, WIDTHS } from './browser.ts';
import { PAGES, signIn } from './player.ts';
import { type Standalone, startStandalone } from './standalone.ts';
import { installWallet } from './test-wallet.ts';

const HEIGHT = 900;
const LOOKS = [
  { language: 'en', theme: 'dark' },
  { language: 'zh', theme: 'light' },
] as const;

let site: Standalone;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startStandalone(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

it.each(LOOKS)('every page in $language, $theme', async ({ language, theme }) => {
  const { context, page, faults } = await visit(browser, 'desktop');
  await installWallet(context);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, site.url);
  await play(page);
  await page.evaluate(
    (look) => {
      localStorage.setItem('language', look.language);
      localStorage.setItem('theme', look.theme);
    },
    { language, theme },
  );
  for (const path of PAGES) {
    await page.goto(site.url + path);
    await page.getByRole('heading').first().waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    const name = `${path.slice(1) || 'home'}-${language}-${theme}`;
    await expectAccessible(page, name);
    for (const [width, pixels] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width: pixels, height: HEIGHT });
      await picture(page, `${name}-${width}`);
      const isWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(isWide, `${name} at ${pixels} px scrolls sideways`).toBe(false);
    }
    await page.setViewportSize({ width: WIDTHS.desktop, height: HEIGHT });
  }
  expect(faults).toEqual([]);
  await context.close();
});

/** So that the lists of every page hold something. */
async function play(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  for (let round = 0; round < 8; round++) {
    const answer = await fetch(`${site.url}/api/v1/game/slot-machine/bet`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ bet_amount: 10 }),
    });
    expect(answer.status).toBe(200);
  }
}
