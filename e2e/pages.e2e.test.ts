/** Every page: screenshots at three widths and axe, in both languages and both themes. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, picture, visit, WIDTHS } from './browser.ts';
import { openConnect, PAGES, respond, signIn } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, site, useSite } from './use-site.ts';

const HEIGHT = 900;
const THEMES = ['dark', 'light'] as const;
/** The label of each language in the footer. */
const LANGUAGES = { en: 'English', zh: '中文' } as const;
type Language = keyof typeof LANGUAGES;
/** Four variants of thirteen pages, two of them at three widths. */
const LONG_MS = 400_000;

useSite();

it('every page in both languages and both themes', { timeout: LONG_MS }, async () => {
  const { context, page, faults } = await visit(browser, 'desktop');
  await installWallet(context);
  await signIn(page, site.url);
  await play(page);
  for (const path of PAGES) {
    await page.goto(site.url + path);
    await page.getByRole('heading').first().waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await choose(page, language);
      for (const theme of THEMES) {
        await paint(page, theme);
        const name = `${path.slice(1) || 'home'}-${language}-${theme}`;
        await expectAccessible(page, name);
        // The width of a text depends on the language, not on the theme.
        if ((language === 'en') === (theme === 'dark')) await measure(page, name);
      }
    }
  }
  expect(faults).toEqual([]);
  await context.close();
});

it('dialogs, and the pages of a visitor', { timeout: LONG_MS }, async () => {
  const { context, page, faults } = await visit(browser, 'desktop');
  for (const path of ['/slot-machine', '/wallet', '/fairness', '/tetris', '/nowhere']) {
    await page.goto(site.url + path);
    await page.getByRole('heading').first().waitFor();
    await lookTwice(page, `visitor${path.replace('/', '-')}`);
  }
  await openConnect(page);
  await lookTwice(page, 'dialog-install');
  await page.keyboard.press('Escape');
  await installWallet(context);
  await signIn(page, site.url);
  await play(page);
  await page.goto(`${site.url}/wallet`);
  await page.getByRole('button', { name: 'Exchange' }).click();
  await lookTwice(page, 'dialog-exchange');
  await page.goto(`${site.url}/history`);
  await page
    .getByRole('link', { name: /^Open the proof/ })
    .first()
    .click();
  // The page may have set its own client seed after the rounds, which revealed their server seed.
  const verified = page.getByText('verified in your browser').first();
  const reveal = page.getByRole('dialog').getByRole('button', { name: 'Reveal and verify' });
  await reveal.or(verified).first().waitFor();
  if (await reveal.isVisible()) await reveal.click();
  await verified.waitFor();
  await lookTwice(page, 'dialog-proof');
  expect(faults).toEqual([]);
  await context.close();
});

it('a home page full of big wins', { timeout: LONG_MS }, async () => {
  const { context, page, faults } = await visit(browser, 'desktop');
  const win = { game_type: 'slot_machine', user_nickname: null, bet_amount: 10, multiple: 25 };
  const wins = Array.from({ length: 10 }, (_, n) => ({
    ...win,
    id: `win-${n}`,
    user_id: `player-with-a-long-name-${n}`,
    win_amount: 1e6 + n,
    created_at: new Date().toISOString(),
    position: 1_000_000 + n,
  }));
  await respond(page, '/recent-winnings?*', { status: 200, message: 'ok', data: wins });
  await page.goto(site.url);
  await page.locator('.ticker').waitFor();
  await lookTwice(page, 'home-wins');
  // Scrolling regions are reachable by keyboard.
  const list = page.getByRole('list', { name: 'Recent big wins' });
  await list.focus();
  await page.keyboard.press('End');
  await expect.poll(() => list.evaluate((shown) => shown.scrollTop)).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  await context.close();
});

it('the header stays visible while the page scrolls', async () => {
  const { context, page } = await visit(browser, 'desktop');
  await page.goto(site.url);
  await page.getByRole('heading', { name: 'Recent big wins' }).waitFor();
  await page.evaluate(() => window.scrollTo({ top: 500, behavior: 'instant' }));
  expect(await page.evaluate(() => window.scrollY)).toBe(500);
  expect(await page.getByRole('banner').boundingBox()).toMatchObject({ x: 0, y: 0 });
  await context.close();
});

it('the built pages are compressed', async () => {
  for (const url of [site.url, site.consoleUrl]) {
    const reply = await fetch(url, { headers: { 'accept-encoding': 'br' } });
    expect(reply.headers.get('content-encoding'), url).toBe('br');
    const [script = ''] = (await reply.text()).match(/\/assets\/[\w-]+\.js/) ?? [];
    const loaded = await fetch(url + script, { headers: { 'accept-encoding': 'br' } });
    expect(loaded.headers.get('content-encoding'), script).toBe('br');
  }
});

/** In both themes, in English. */
async function lookTwice(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await paint(page, theme);
    await expectAccessible(page, `${name}-${theme}`);
  }
  await measure(page, name);
}

/** Switches in place, and waits until all colour transitions have ended. */
async function paint(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (to) => {
    document.documentElement.dataset.theme = to;
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(fading.map((one) => one.finished));
  }, theme);
}

/** No horizontal scrolling and no axe violation on a phone; a screenshot at each width. */
async function measure(page: Page, name: string): Promise<void> {
  // Elements that are laid out only near the viewport have no width before.
  await page.addStyleTag({ content: '.below-fold { content-visibility: visible }' });
  for (const [width, pixels] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: pixels, height: HEIGHT });
    await picture(page, `${name}-${width}`);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWide, `${name} at ${pixels} px scrolls sideways`).toBe(false);
    if (width === 'phone') await expectAccessible(page, `${name} on a phone`);
  }
  await page.setViewportSize({ width: WIDTHS.desktop, height: HEIGHT });
}

async function choose(page: Page, language: Language): Promise<void> {
  const button = page.locator('footer').getByRole('button', { name: LANGUAGES[language] });
  // The button shows the other language.
  if (await button.isVisible()) await button.click();
  const lang = language === 'zh' ? 'zh-CN' : 'en';
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(lang);
}

/** Fills the lists of every page. */
async function play(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  for (let round = 0; round < 8; round++) {
    const spun = await fetch(`${site.url}/api/v1/game/slot-machine/bet`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ bet_amount: 10 }),
    });
    expect(spun.status).toBe(200);
  }
}
