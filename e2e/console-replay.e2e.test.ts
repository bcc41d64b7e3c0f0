/** Replay of a stream: what each event changed, in human units, and the points in time that people type. */
import { shortAddress } from '@reelbook/web/format';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

useSite();

let player: GivenPlayer;
let page: Page;
beforeAll(async () => {
  player = await givePlayer(site);
  [page] = await enterConsole(browser, await site.link('first'));
});
const goto = (path: string) => page.goto(site.consoleUrl + path);
const field = (name: string) =>
  page.locator('.changes > div', { has: page.getByText(name, { exact: true }) });
const goTo = async (text: string) => {
  const input = page.getByRole('textbox', { name: 'Go to a position or time' });
  await input.fill(text);
  await input.press('Enter');
};

it('steps through a stream: the event, and the fields that it changed, in human units', async () => {
  await goto(`/travel?stream=${player.address}&at=${player.bet}`);
  await page.getByTestId('step').getByText('5.00points on slot-machine').waitFor();
  const points = field('Points');
  await expect.poll(() => points.textContent()).toMatch(/1,000\.00 points → 995\.00 points/);
  expect(await points.getAttribute('data-changed')).toBe('true');
  expect(await field('Wallet').getAttribute('data-changed')).toBe('false');
  await page
    .getByTestId('step')
    .getByText(/^[\d,]+ events? of other streams until/)
    .waitFor();
  await page.getByRole('button', { name: 'next in stream' }).click();
  await page
    .getByTestId('step')
    .getByText(/^(lost|won) /)
    .waitFor();
  await expectAccessible(page, 'replay');
  await picture(page, 'console-replay');
});

it('understands what people type as a point in time, and refuses the rest in words', async () => {
  await goto('/explorer');
  await goTo('#0,007');
  await page.getByText('#0,007 is not a position or time.').waitFor();
  // The figures of the selected moment never arrive: the head is known without them.
  await page.route(/[?&]at=7$/, () => {});
  await goTo('7');
  await page.waitForURL(/at=7$/);
  await goTo('tomorrow');
  await page.getByText('tomorrow is not a position or time.').waitFor();
  await goTo('-1d');
  await page.getByText(/^The ledger begins at 20\S+ \S+ UTC\.$/).waitFor();
  await goTo('999999');
  await page.getByText(/^The ledger ends at #\d+\.$/).waitFor();
  await goTo('2099-01-01');
  await page.getByText('2099-01-01 00:00:00.000 UTC is in the future.').waitFor();
  expect(page.url()).toMatch(/at=7$/);
  await page.unroute(/[?&]at=7$/);
});

it('shows the time that was asked for with the event that it found, on every page', async () => {
  await goto('/players');
  await goTo('-1s');
  const asked = page.getByTestId('time-asked');
  await asked.getByText(/^last event up to 20\S+ \S+ UTC$/).waitFor();
  const text = await asked.textContent();
  await page.getByRole('link', { name: 'House' }).click();
  await page.getByRole('heading', { level: 1, name: 'House' }).waitFor();
  expect(await asked.textContent()).toBe(text);
  await picture(page, 'console-replay-asked');
  await page.setViewportSize({ width: 390, height: 844 });
  await asked.waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await picture(page, 'console-replay-asked-phone');
  await goTo('7');
  await asked.waitFor({ state: 'detached' });
  // A date that was picked is the text of the field.
  await page.locator('.time-bar input[type=datetime-local]').fill('2099-01-01T10:00');
  await page.locator('.time-bar').getByRole('button', { name: 'Show' }).click();
  await page.getByText('2099-01-01 10:00:00.000 UTC is in the future.').waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('compares with a time as the time bar takes it, and refuses the rest in words', async () => {
  await goto(`/travel?view=difference&stream=${player.address}&at=${player.bet}`);
  const input = page.getByRole('textbox', { name: /^Compare with/ });
  const compared = page.getByTestId('compared');
  await compared.getByText(/→ Now/).waitFor();
  for (const [typed, fault] of [
    ['tomorrow', 'tomorrow is not a position or time.'],
    ['#0,007', '#0,007 is not a position or time.'],
    ['999999', /^The ledger ends at #\d+\.$/],
    ['2099-01-01 10:00', '2099-01-01 10:00:00.000 UTC is in the future.'],
    ['2020-01-01', /^The ledger begins at 20\S+ \S+ UTC\.$/],
  ] as const) {
    await input.fill(typed);
    await input.press('Enter');
    await page.locator('main').getByText(fault).waitFor();
    expect(await input.inputValue()).toBe(typed);
    expect(new URL(page.url()).searchParams.has('with')).toBe(false);
  }
  await expectAccessible(page, 'difference');
  await picture(page, 'console-replay-difference');
  await input.fill('-1s');
  await input.press('Enter');
  await compared.getByText(/\(#[\d,]+: last event up to 20\S+ \S+ UTC\)$/).waitFor();
  await compared.getByText(/→ #\d/).waitFor();
  await expect.poll(() => field('Rounds').textContent()).toMatch(/Rounds1 → 3/);
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'console-replay-difference-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await input.fill('');
  await input.press('Enter');
  await compared.getByText(/→ Now/).waitFor();
});

it('compares the player of the page with now', async () => {
  await goto(`/players/${player.address}?at=${player.bet}`);
  await page.getByRole('link', { name: 'Compare with now' }).click();
  await page.waitForURL(new RegExp(`stream=${player.address}`));
  await expect.poll(() => field('Rounds').textContent()).toMatch(/Rounds1 → 3/);
});

it('finds the player of a stream by a part of the wallet', async () => {
  await goto('/travel');
  const input = page.getByRole('textbox', { name: /stream/i });
  await input.fill('no such player');
  await input.press('Enter');
  await page.getByText('No player found for no such player.').waitFor();
  await input.fill(shortAddress(player.address));
  await input.press('Enter');
  await page.waitForURL(new RegExp(`stream=${player.address}`));
});
