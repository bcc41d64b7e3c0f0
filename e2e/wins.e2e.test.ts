/** How a win is shown: beneath lit reels, with an optional sound; the next spin is always available, also with Space. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seeds } from '@reelbook/contract/player/fairness';
import { openPool } from '@reelbook/event-store/db';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { createDraws } from '@reelbook/games/fairness/draw';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { landed, signIn, slotHistory } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, page, site, useSite, useVisitor } from './use-site.ts';

/** A win is missed so often in a row with a probability of 1 in 500,000. */
const SPINS_MAX = 30;

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
  for (let spins = 0; ; spins++) {
    expect(spins).toBeLessThan(SPINS_MAX);
    await spin().click();
    await page.getByRole('button', { name: 'Spinning...' }).waitFor();
    await landed(page);
    if (await win.isVisible()) break;
  }
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

/** Client seeds that win with the next server seed, searched with the code that draws: the first round of each pair. */
async function findWins(next: string, multiple: number): Promise<string> {
  const database = (await readFile(join(site.dataDir, 'database-url'), 'utf8')).trim();
  const key = Buffer.from((await readFile(join(site.dataDir, 'seed-key'), 'utf8')).trim(), 'hex');
  const pool = openPool({ url: database, role: 'app', max: 1, name: 'e2e' });
  const keyId = seedKeyIdOf({ seedKeyId: null }, key);
  const serverSeed = await openSeedVault({ pool, key, keyId })
    .open(next)
    .finally(() => pool.end());
  const bet = { rules: 'slot-1', stakeMinor: 100n, lines: 25 };
  for (let n = 0; ; n++) {
    const clientSeed = `lucky-${n}`;
    const draws = createDraws({ serverSeed, clientSeed, nonce: 0 });
    const { payoutMinor } = slotMachine.draw({ ...bet, draws });
    if (payoutMinor === BigInt(multiple) * bet.stakeMinor) return clientSeed;
  }
}

it.each([
  [4, 'medium', 'YOU WIN'],
  [12, 'large', 'YOU WIN'],
  [25, 'jackpot', 'JACKPOT'],
])('a win of %d times the bet is celebrated as %s', async (multiple, size, title) => {
  const moving = await visit(browser, 'desktop', { moving: true });
  await installWallet(moving.context);
  await signIn(moving.page, site.url);
  await moving.page.goto(`${site.url}/fairness`);
  // A new player's first pair is rotated at once: the commitment of the next one is known after it.
  await moving.page.getByText('chosen by this browser').waitFor();
  const token = await moving.page.evaluate(() => localStorage.getItem('token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${site.url}/api/v1/fairness/seeds`, { headers });
  const { data } = (await answer.json()) as { data: Seeds };
  const seed = await findWins(data.next.server_seed_hash, multiple);
  await moving.page.getByLabel('Your client seed').fill(seed);
  await moving.page.getByRole('button', { name: 'Reveal and rotate' }).click();
  await moving.page.getByText(seed).first().waitFor();
  await moving.page.goto(`${site.url}/slot-machine`);
  await moving.page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await landed(moving.page);
  await moving.page.locator(`.celebration[data-size="${size}"]`).waitFor();
  const win = moving.page.getByRole('dialog', { name: title });
  expect(await win.locator('.count-up').getAttribute('data-final')).toBe(`+${multiple}.00`);
  const coins = await moving.page.locator('.falling-coin').count();
  expect(coins > 0).toBe(size === 'jackpot');
  await picture(moving.page, `slot-celebration-${multiple}`);
  expect(moving.faults).toEqual([]);
  await moving.context.close();
});

it('counts a win up from zero: no frame shows a loss first', async () => {
  const moving = await visit(browser, 'desktop', { moving: true });
  await installWallet(moving.context);
  await moving.context.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    new MutationObserver(() => {
      for (const one of document.querySelectorAll('.count-up > span')) shown.push(one.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await signIn(moving.page, site.url);
  await moving.page.goto(`${site.url}/slot-machine`);
  const win = moving.page.getByRole('dialog', { name: /YOU WIN|JACKPOT/ });
  for (let spins = 0; ; spins++) {
    expect(spins).toBeLessThan(SPINS_MAX);
    await moving.page.getByRole('button', { name: 'SPIN', exact: true }).click();
    await moving.page.getByRole('button', { name: 'Spinning...' }).waitFor();
    await landed(moving.page);
    if (await win.isVisible()) break;
  }
  await moving.page.locator('.celebration').waitFor();
  const final = await win.locator('.count-up').getAttribute('data-final');
  await expect.poll(() => win.locator('.count-up > span').textContent()).toBe(final);
  const shown = await moving.page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  expect(new Set(shown).size).toBeGreaterThan(1);
  expect(shown.filter((text) => !/^\+?\d/.test(text))).toEqual([]);
  await moving.context.close();
});
