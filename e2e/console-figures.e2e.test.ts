/** The money of the day, the list of players, the days of the house, and any table as a file and on paper. */
import { readFile } from 'node:fs/promises';
import { call, must, readSentence } from '@reelbook/simulator/client/api';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { browser, site, useOwnSite } from './use-site.ts';

// Its own: the figures of all players.
useOwnSite();

/** More than a page of the list has. */
const MORE_PLAYERS = 55;
const NICKNAME = '=1+1, "Anna"';
const LONG = { timeout: 60_000, interval: 500 };

let player: GivenPlayer;
let page: Page;
let faults: string[];

beforeAll(async () => {
  player = await givePlayer(site);
  const { url } = site;
  const sentence = await readSentence(url);
  for (let n = 0; n < MORE_PLAYERS; n++) {
    const body = createWallet().login(Date.now(), sentence);
    await must(url, '/auth/login', { body });
  }
  const body = { nickname: NICKNAME };
  const { status } = await call(url, '/user/profile', { method: 'PUT', token: player.token, body });
  expect(status).toBe(200);
  await site.caughtUp();
  [page, faults] = await enterConsole(browser, await site.link('first'));
});

const goto = (path: string) => page.goto(site.consoleUrl + path);
const rows = () => page.locator('tr[data-row]');

async function expectFits(name: string): Promise<void> {
  await expectAccessible(page, name);
  await picture(page, `console-figures-${name}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, `console-figures-${name}-phone`);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** The bytes of the file of a table, and its rows. */
async function save(button: Locator) {
  const saved = page.waitForEvent('download', WAIT);
  await button.click();
  const bytes = await readFile(await (await saved).path());
  return { bytes, lines: bytes.toString('utf8').split('\r\n') };
}
const csv = (label: string) => page.getByRole('button', { name: `Save all rows as CSV: ${label}` });

it('begins with the money of the day', async () => {
  const today = page.getByRole('region', { name: 'Today' });
  const figure = async (label: string) =>
    today.locator('div', { hasText: label }).locator('p').nth(1).textContent();
  await expect.poll(() => figure('Deposits today'), LONG).toBe('50.00');
  expect(await figure('Payouts today')).toBe('0.00');
  expect(await figure('Revenue today')).toMatch(/^[+−]?\d+\.\d\d$/);
  await expect.poll(() => figure('Margin'), LONG).toMatch(/^[−\d,]+\.\d\d$/);
  expect(await figure('Players online')).toBe(String(MORE_PLAYERS + 1));
  await expectFits('overview');
});

it('lists players by standing, by what they did last and by balance', async () => {
  await goto('/players');
  await rows().first().getByText(NICKNAME).waitFor();
  expect(await rows().count()).toBe(50);
  const heads = await page.getByRole('columnheader').allInnerTexts();
  expect(heads).toEqual(expect.arrayContaining(['Registered (UTC)', 'Last activity (UTC)']));
  await expectFits('players');
  await page.getByRole('button', { name: 'Registration' }).click();
  await rows().first().getByText(NICKNAME).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'BSM' }).click();
  await rows().first().getByText(NICKNAME).waitFor();
  await page.getByRole('button', { name: 'Suspended' }).click();
  await page.getByText('No players found.').waitFor();
  await goto(`/players/${player.address}`);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await act(page, 'Suspend');
  await goto('/players?standing=suspended');
  await rows().first().getByText(NICKNAME).waitFor(LONG);
  expect(await rows().count()).toBe(1);
});

it('saves all rows of a list, not only the page shown, as CSV for spreadsheets', async () => {
  await goto('/players');
  await rows().nth(49).waitFor();
  const { bytes, lines } = await save(csv('Players'));
  // The byte order mark, then the head; each line ends with CR LF.
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head = '', titles, ...all] = lines;
  expect(head).toMatch(
    new RegExp(
      `^\uFEFFReelbook,Players,\\d+,[0-9a-f]{64},\\d{4}-[^,]+Z,[^,]+,/players,complete: ${MORE_PLAYERS + 1} rows$`,
    ),
  );
  expect(titles).toBe('Player,Public ID,Registered (UTC),Last activity (UTC),Points,BSM');
  expect(all.pop()).toBe('');
  expect(all).toHaveLength(MORE_PLAYERS + 1);
  expect(all.filter((line) => line.endsWith(',1000.00,0.000000000'))).toHaveLength(MORE_PLAYERS);
  // A name is no formula, and its comma and quotes stay within the cell.
  const named = all.find((line) => line.includes(player.address)) ?? '';
  expect(named).toContain(`"'=1+1, ""Anna"" `);
  expect(named).toMatch(/,\d{4}-\d\d-\d\dT[\d:.]+Z,\d{4}-\d\d-\d\dT[\d:.]+Z,[\d.]+,50\.000000000$/);
  // The page still shows one page.
  expect(await rows().count()).toBe(50);
  expect(bytes.toString().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

it('marks a file that is cut', async () => {
  await goto('/players?sort=points');
  await rows().nth(49).waitFor();
  // Each last page names the first one as the next.
  await page.route(/\/admin\/players\?.*limit=200/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.next ??= '9999999999999999_1';
    await route.fulfill({ response, json: answer });
  });
  const { lines } = await save(csv('Players'));
  await page.unrouteAll();
  const count = Math.ceil(10_000 / (MORE_PLAYERS + 1)) * (MORE_PLAYERS + 1);
  expect(lines[0]).toContain(`CUT after ${count} rows`);
  expect(lines).toHaveLength(count + 3);
  await page.getByText(`The file has the first ${count.toLocaleString('en')} rows only.`).waitFor();
});

it('has the days of the house, which add up to its account', async () => {
  await goto('/house');
  const days = page.getByRole('table', { name: 'By day, points' });
  await days.getByText('Total').waitFor();
  await expectFits('house');
  const { lines } = await save(csv('By day, points'));
  const columns = lines[1]?.split(',') ?? [];
  const total = lines.at(-2)?.split(',') ?? [];
  expect(total[0]).toBe('Total');
  const of = (name: string) => Math.round(Number(total[columns.indexOf(name)]) * 100);
  expect(of('Turnover')).toBe(1_500);
  expect(of('Turnover') - of('Paid')).toBe(of('Revenue'));
  expect(of('Revenue') + of('Bonus') + of('Adjustments')).toBe(of('Net result'));
  const house = page.getByTestId('trial-points').locator('.ledger-line', { hasText: 'house' });
  const [balance = ''] = /[−\d,]+\.\d\d/.exec((await house.first().textContent()) ?? '') ?? [];
  const shown = Number(balance.replace('−', '-').replaceAll(',', ''));
  expect(of('Net result') + of('Exchanged')).toBe(Math.round(shown * 100));
  await page.getByRole('table', { name: 'By day, BSM' }).getByText('50.00').first().waitFor();
});

/** Position of the ledger in the first line of a file. */
const positionOf = ([head = '']: readonly string[]) =>
  Number(/,(\d+),[0-9a-f]{64},/.exec(head)?.[1] ?? Number.NaN);

it('has in files and on paper the position of what they show, current figures of a past page too', async () => {
  const printed = async () =>
    Number(
      /event #([\d,]+)/
        .exec((await page.getByTestId('print-head').textContent(LONG)) ?? '')?.[1]
        ?.replaceAll(',', ''),
    );
  await goto(`/players?at=${player.bet}`);
  await rows().first().waitFor(LONG);
  expect(positionOf((await save(csv('Players'))).lines)).toBe(player.bet);
  expect(await printed()).toBe(player.bet);
  await goto(`/house?at=${player.bet}`);
  const days = page.getByRole('table', { name: 'By day, points' });
  await days.getByText('Total').waitFor(LONG);
  expect(positionOf((await save(csv('By day, points'))).lines)).toBeGreaterThan(player.bet);
  await goto(`/deposits?at=${player.bet}`);
  await rows().first().waitFor(LONG);
  expect(positionOf((await save(csv('Deposits'))).lines)).toBeGreaterThan(player.bet);
  expect(await printed()).toBeGreaterThan(player.bet);
});

it('has in a file the position of the rows that are shown, not that of a later event', async () => {
  // From the first poll on, the read models follow no more.
  let read: number | undefined;
  await page.route(/\/admin\/moment(\?|$)/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    read ??= Number(answer.data.read);
    answer.data.read = read;
    await route.fulfill({ response, json: answer });
  });
  await goto('/house');
  const number = async (id: string) =>
    Number(
      /#([\d,]+)/
        .exec((await page.getByTestId(id).textContent(LONG)) ?? '')?.[1]
        ?.replaceAll(',', ''),
    );
  await expect.poll(() => number('figures-at'), LONG).toBeGreaterThan(0);
  const shown = await number('figures-at');
  const body = createWallet().login(Date.now(), await readSentence(site.url));
  await must(site.url, '/auth/login', { body });
  await expect.poll(() => number('time-position'), LONG).toBeGreaterThan(shown);
  expect(positionOf((await save(csv('By day, points'))).lines)).toBe(shown);
  await page.unrouteAll();
});

it('prints a table with the state of the ledger, its headings and no buttons', async () => {
  await goto('/players');
  await rows().nth(49).waitFor();
  // A4.
  await page.setViewportSize({ width: 720, height: 1_000 });
  await page.emulateMedia({ media: 'print' });
  const head = page.getByTestId('print-head');
  expect(await head.textContent()).toMatch(
    /^Reelbook \S+\. Ledger at event #[\d,]+, hash [0-9a-f]{64}, of \d{4}-\d\d-\d\d [\d:.]+ UTC\. Printed \d{4}-/,
  );
  const isShown = (locator: Locator) =>
    locator.evaluateAll(
      (all) => all.filter((one) => (one as HTMLElement).checkVisibility()).length,
    );
  expect(await isShown(page.locator('button, input, nav'))).toBe(0);
  expect(await page.locator('thead').evaluate((one) => getComputedStyle(one).position)).toBe(
    'static',
  );
  expect(await page.getByText('There are more rows.').isVisible()).toBe(true);
  await picture(page, 'console-figures-print');
  await page.emulateMedia({ media: null });
  expect(faults).toEqual([]);
});
