/** How a win is shown: beneath lit reels, with an optional sound; the next spin is always available, also with Space. */
import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { landed, signIn, slotHistory } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, page, site, useSite, useVisitor } from './use-site.ts';
import { paysMultiple, wantDraws } from './wanted-draws.ts';

useSite();
useVisitor();

/**
 * The dialog of a result stays open, because it has the focus, and what is shown for some seconds is recorded, so that
 * nothing is missed on a slow machine.
 */
const watchResults = (of: BrowserContext) =>
  of.addInitScript(() => {
    const [celebrated, counted]: [string[], string[]] = [[], []];
    Object.assign(window, { celebrated, counted });
    new MutationObserver((changes) => {
      for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(one instanceof HTMLElement)) continue;
        const all = (selector: string) => [
          ...(one.matches(selector) ? [one] : []),
          ...one.querySelectorAll<HTMLElement>(selector),
        ];
        for (const modal of all('.result-modal')) modal.querySelector('button')?.focus();
        for (const { dataset, childNodes } of all('.celebration')) {
          const coins = [...childNodes].filter(
            (node) => node instanceof Element && node.matches('.falling-coin'),
          );
          celebrated.push(`${dataset.size} ${coins.length}`);
        }
      }
      for (const one of document.querySelectorAll('.count-up > span')) {
        counted.push(one.textContent);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
const recorded = (on: Page) =>
  on.evaluate(() => {
    const { celebrated, counted } = window as unknown as Record<string, string[]>;
    return { celebrated, counted };
  });

beforeEach(async () => {
  await installWallet(context);
  await context.addInitScript(() => {
    const tones: number[] = [];
    Object.assign(window, { tones });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (atS) {
      tones.push(this.frequency.value);
      return start.call(this, atS);
    };
  });
  await signIn(page, site.url);
  await page.goto(`${site.url}/slot-machine`);
  await page.locator('.spin[aria-disabled="false"]').waitFor();
});

const spin = () => page.getByRole('button', { name: 'SPIN', exact: true });
const rounds = async () => (await slotHistory(site, page)).items.length;
const tones = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones.length);

it('Space spins when it is released, once, and types in a field', async () => {
  await page.locator('body').press('Space');
  await landed(page);
  expect(await rounds()).toBe(1);
  await page.keyboard.down('Space');
  expect(await rounds()).toBe(1);
  await page.keyboard.up('Space');
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await landed(page);
  expect(await rounds()).toBe(2);
  await page.getByRole('textbox', { name: 'Bet' }).press('Space');
  await page.getByRole('button', { name: 'Sound' }).press('Space');
  expect(await rounds()).toBe(2);
});

it('Enter that is held down spins once', async () => {
  await spin().focus();
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
  await landed(page);
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await rounds()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await landed(page);
  expect(await rounds()).toBe(2);
});

it('shows a win beneath the reels, lists it, and plays a sound only if it is on', async () => {
  const sound = page.getByRole('button', { name: 'Sound' });
  expect(await sound.getAttribute('aria-pressed')).toBe('false');
  const win = page.getByRole('dialog', { name: 'YOU WIN' });
  await wantDraws(page, site, (drawsOf) => paysMultiple(4n)(drawsOf(0)));
  await watchResults(context);
  await page.reload();
  await spin().click();
  await win.waitFor();
  expect(await tones()).toBe(0);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await picture(page, `slot-win-${width}`);
    const [reels, words, button] = [
      await page.locator('.slot-reels').boundingBox(),
      await win.boundingBox(),
      await spin().boundingBox(),
    ];
    const bottomOf = (box: typeof reels) => (box?.y ?? 0) + (box?.height ?? 0);
    expect(words?.y).toBeGreaterThan(bottomOf(reels));
    expect(button?.y).toBeGreaterThanOrEqual(bottomOf(words));
  }
  expect(await page.locator('.slot-reel[data-wins="true"]').count()).toBeGreaterThanOrEqual(2);
  const results = page.getByRole('list', { name: 'Last results' }).getByRole('listitem');
  expect(await results.first().textContent()).toMatch(/×$/);
  await expectAccessible(page, 'a win');

  await sound.click();
  await page.reload();
  expect(await sound.getAttribute('aria-pressed')).toBe('true');
  await spin().click();
  await expect.poll(tones).toBeGreaterThan(0);
});

/** A player with motion, whose next spin pays this multiple. */
async function playWin(multiple: bigint) {
  const moving = await visit(browser, 'desktop', { moving: true });
  await installWallet(moving.context);
  await watchResults(moving.context);
  await signIn(moving.page, site.url);
  await wantDraws(moving.page, site, (drawsOf) => paysMultiple(multiple)(drawsOf(0)));
  await moving.page.goto(`${site.url}/slot-machine`);
  await moving.page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await landed(moving.page);
  return moving;
}

it.each([
  [4n, 'medium 0', 'YOU WIN'],
  [12n, 'large 0', 'YOU WIN'],
  [25n, 'jackpot 20', 'JACKPOT'],
])('a win of %d times the bet is celebrated as %s', async (multiple, shown, title) => {
  const moving = await playWin(multiple);
  const win = moving.page.getByRole('dialog', { name: title });
  expect(await win.locator('.count-up').getAttribute('data-final')).toBe(`+${multiple}.00`);
  expect((await recorded(moving.page)).celebrated).toEqual([shown]);
  await picture(moving.page, `slot-celebration-${multiple}`);
  expect(moving.faults).toEqual([]);
  await moving.context.close();
});

it('counts a win up from zero: no frame shows a loss first', async () => {
  const moving = await playWin(4n);
  const shown = moving.page.getByRole('dialog').locator('.count-up > span');
  await expect.poll(() => shown.textContent()).toBe('+4.00');
  const { counted = [] } = await recorded(moving.page);
  expect(new Set(counted).size).toBeGreaterThan(1);
  expect(counted.filter((text) => !/^\+?\d/.test(text))).toEqual([]);
  await moving.context.close();
});
