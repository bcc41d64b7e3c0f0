/** How a win is shown: beneath lit reels, with an optional sound; the next spin is always available, also with Space. */
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { landed, signIn, slotHistory } from './player.ts';
import { playUntilNextWins } from './seeded.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

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

it('shows a win beneath the reels, lists it, and plays a sound only if it is on', async () => {
  const sound = page.getByRole('button', { name: 'Sound' });
  expect(await sound.getAttribute('aria-pressed')).toBe('false');
  const win = page.getByRole('dialog', { name: /YOU WIN|JACKPOT/ });
  await spin().click();
  await landed(page);
  await playUntilNextWins(site, page);
  await page.reload();
  await spin().click();
  await win.waitFor();
  expect(await tones()).toBe(0);
  // Stays open while the pointer is over it.
  await win.hover();
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
