/** A key that is held down acts once: each call that stakes or moves money is counted. */
import type { Locator } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { exchange, landed, signIn, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useOwnSite, useVisitor } from './use-site.ts';

// Its own: rounds of the mini-games end within seconds.
useOwnSite({ GAME_TICK_MS: '20' });
useVisitor();

const REPEATS = 25;
const LONG_MS = 300_000;
const KEYS = ['Enter', ' '];
let sent: string[] = [];

beforeEach(async () => {
  sent = [];
  await installWallet(context);
  await signIn(page, site.url);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/(bet|start|exchange|withdraw)$/.test(pathname) && request.method() === 'POST') {
      sent.push(pathname.replace('/api/v1', ''));
    }
  });
});

/** Holds a key on a control, beyond its effect if it has it before it is released. */
async function hold(key: string, on: Locator, effect: () => Promise<boolean>): Promise<void> {
  await on.waitFor();
  await on.focus();
  const press = async () => {
    if (key === 'Enter') await page.keyboard.down(key);
    return effect();
  };
  for (let n = 0; n < REPEATS; n++) await page.keyboard.down(key);
  if (key === ' ') await page.keyboard.up(key);
  await expect.poll(press).toBe(true);
  for (let n = 0; n < REPEATS; n++) await press();
  if (key === 'Enter') await page.keyboard.up(key);
}

const named = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

it.each(KEYS)('"%s" held on SPIN stakes once', { timeout: LONG_MS }, async (key) => {
  await page.goto(`${site.url}/slot-machine`);
  const result = page.locator('.result-line', { hasText: /You win|Try again!|Jackpot/ });
  await page.getByRole('button', { name: 'SPIN', exact: true, disabled: false }).waitFor();
  await hold(key, named('SPIN'), () => result.isVisible());
  await named('SPIN').waitFor();
  expect(sent).toEqual(['/game/slot-machine/bet']);
  // Outside of controls, Space spins.
  if (key === ' ') {
    await page.locator('h1').click();
    for (let n = 0; n < REPEATS; n++) await page.keyboard.down(' ');
    await page.keyboard.up(' ');
    await page.getByRole('button', { name: 'Spinning...' }).waitFor();
    await landed(page);
    expect(sent).toHaveLength(2);
  }
});

it.each(['tetris', 'snake', 'minesweeper'])(
  'a key held on the start of %s stakes once',
  {
    timeout: LONG_MS,
  },
  async (game) => {
    for (const [at, key] of KEYS.entries()) {
      await page.goto(`${site.url}/${game}`);
      const start = page.getByRole('button', { name: '开始游戏', disabled: false });
      const result = page.locator('.mini-outcome [role="alert"] p').first();
      await hold(key, start, () => result.isVisible());
      await page.getByRole('button', { name: '再玩一局' }).waitFor();
      expect(sent).toHaveLength(at + 1);
    }
  },
);

it('Enter held in the exchange and withdrawal dialogs sends once, and confirms nothing', {
  timeout: LONG_MS,
}, async () => {
  await page.goto(`${site.url}/wallet`);
  const dialog = page.getByRole('dialog');
  await named('Exchange').click();
  await dialog.getByRole('textbox').fill('800');
  const done = page.getByText('Exchanged: you received 8.00 BSM.');
  await hold('Enter', dialog.getByRole('textbox'), () => done.isVisible());
  expect(await dialog.count()).toBe(0);
  expect(sent).toEqual([exchange.call.replace('**/api/v1', '')]);
  const field = page
    .locator('section', { has: page.getByRole('heading', { name: 'Withdraw', exact: true }) })
    .getByRole('textbox', { name: 'Amount (BSM)' });
  await field.fill('5');
  await hold('Enter', field, () => dialog.isVisible());
  expect(sent).toHaveLength(1);
  await hold('Enter', dialog.getByRole('button', { name: 'Confirm withdrawal' }), async () =>
    page.url().includes('/payments/'),
  );
  await waitForText(page, '4.75 BSM');
  expect(sent.slice(1)).toEqual(['/transaction/withdraw']);
});
