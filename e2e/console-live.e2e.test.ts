/** The console during play, and with a server that hangs or fails: no figure without its age. */
import { must } from '@reelbook/simulator/client/api';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { pages } from '../web-admin/src/lib/paths.ts';
import { expectAccessible } from './browser.ts';
import { enterConsole, type GivenPlayer, givePlayer, silence } from './console-given.ts';
import { seedLedger } from './seeded.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;
const wait = { timeout: LONG_MS };

useSite();

let player: GivenPlayer;
let page: Page;

beforeAll(async () => {
  player = await givePlayer(site);
  [page] = await enterConsole(browser, await site.link('first'));
});
const goto = (path: string) => page.goto(site.consoleUrl + path);
const silent = () => silence(page);

const head = async () => {
  const text = await page.getByTestId('time-position').textContent();
  return Number(text?.match(/#([\d,]+?)(?=\d{4}-)/)?.[1]?.replaceAll(',', ''));
};

const spin = () =>
  must(site.url, '/game/slot-machine/bet', {
    token: player.token,
    key: crypto.randomUUID(),
    body: { bet_amount: 5 },
  });

it('refreshes a page when new events are appended', async () => {
  await goto(`/players/${player.address}`);
  const rounds = page.locator('dl > div', { hasText: 'Rounds' }).locator('dd');
  await expect.poll(() => rounds.textContent(), wait).toBe('3');
  await spin();
  await expect.poll(() => rounds.textContent(), wait).toBe('4');
});

/** What a page shows as of a past moment: its text without the parts that are labelled as current. */
async function textAsOf(path: string): Promise<string> {
  await goto(path);
  await page.locator('main h1').waitFor(wait);
  await expect.poll(() => page.locator('.skeleton').count(), wait).toBe(0);
  await page.waitForLoadState('networkidle');
  return page.locator('main').evaluate((main) => {
    const copy = main.cloneNode(true) as HTMLElement;
    for (const part of copy.querySelectorAll('[data-now]')) part.remove();
    return copy.textContent ?? '';
  });
}

it('shows figures of the selected moment on every page, or labels them as current', async () => {
  const withdrawal = await player.withdraw(2);
  const at = await head();
  const ids = { ':position': player.bet, ':wallet': player.address, ':withdrawal': withdrawal };
  const pathOf = (path: string) =>
    Object.entries(ids).reduce((text, [name, id]) => text.replace(name, String(id)), path);
  const shown = new Map<string, string>();
  for (const [, { path, past }] of pages) {
    const text = await textAsOf(`${pathOf(path)}?at=${at}`);
    if (past === 'now') expect(text.trim(), path).toBe('');
    else expect(text.length, path).toBeGreaterThan(100);
    // A proof of an event gets its seal later.
    if (past === 'then') shown.set(path, text);
  }
  await spin();
  await seedLedger(site, 100);
  for (const [path, text] of shown) {
    expect(await textAsOf(`${pathOf(path)}?at=${at}`), path).toBe(text);
  }
  // What the head and the navigation count is of now.
  await page
    .locator('.shell-head [data-now]')
    .getByText(/^Live · /)
    .waitFor(wait);
  expect(await page.locator('nav span.font-mono:not([data-now])').count()).toBe(0);
  await expectAccessible(page, 'as of');
}, 180_000);

it('lists the newest events after more than a page of them, and counts the missing ones', async () => {
  await goto('/explorer');
  const newest = page.locator('tbody tr[data-row]').first();
  await newest.waitFor();
  await seedLedger(site, 6_000);
  await expect
    .poll(async () => Number(await newest.getAttribute('data-row')) - (await head()), wait)
    .toBe(0);
  expect(await page.getByTestId('missing').count()).toBe(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await spin();
  await page
    .getByTestId('missing')
    .getByText(/^\d+ events? not listed yet$/)
    .waitFor(wait);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect
    .poll(async () => Number(await newest.getAttribute('data-row')) - (await head()), wait)
    .toBe(0);
  expect(await page.getByTestId('missing').count()).toBe(0);
}, 120_000);

it('shows the age of its figures and refuses actions while the server hangs', async () => {
  await goto(`/players/${player.address}`);
  await page.getByRole('button', { name: 'Adjust balance' }).waitFor();
  await page.route('**/api/**', () => {});
  await silent().waitFor(wait);
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('1');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('test');
  await dialog.getByRole('alert').getByText('The server does not respond.').waitFor(wait);
  const submit = dialog.getByRole('button', { name: 'Adjust balance' });
  expect(await submit.isDisabled()).toBe(true);
  await page.unroute('**/api/**');
  await expect.poll(() => submit.isEnabled(), wait).toBe(true);
  await silent().waitFor({ state: 'detached', timeout: LONG_MS });
  await page.keyboard.press('Escape');
}, 120_000);

it('does not act on figures that could not be refreshed', async () => {
  await goto(`/players/${player.address}`);
  await page.getByRole('button', { name: 'Adjust balance' }).waitFor(wait);
  await page.route('**/api/v1/admin/players/*', (route) => route.fulfill({ status: 503 }));
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('1');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('test');
  await page.getByText('Not refreshed since').waitFor(wait);
  expect(await dialog.getByRole('button', { name: 'Adjust balance' }).isDisabled()).toBe(true);
  await page.unroute('**/api/v1/admin/players/*');
  await page.keyboard.press('Escape');
});
