/** The search of the console: what people type finds events and objects; an invalid filter lists nothing. */
import { shortAddress } from '@reelbook/web/format';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;

useSite();

let player: GivenPlayer;
let page: Page;
beforeAll(async () => {
  player = await givePlayer(site);
  [page] = await enterConsole(browser, await site.link('first'));
});

const search = () => page.getByRole('combobox', { name: 'Search and filter' });
const matches = () => page.getByTestId('matches');
/** Opens the explorer with the events of the player. */
const openExplorer = (more = '') =>
  page.goto(
    `${site.consoleUrl}/explorer?${new URLSearchParams({ q: `player:${player.address} ${more}` })}`,
  );
async function type(text: string): Promise<void> {
  await openExplorer();
  await search().fill(text);
}

it.each([
  ['betplaced', '3 events match'],
  ['type=BetPlaced', '3 events match'],
  ['5.00', '3 events match'],
  ['amount=5', '3 events match'],
  ['amount=1,000.00', '1 event matches'],
  // 50 BSM, and no points.
  ['50.00', '1 event matches'],
  ['amount=50BSM', '1 event matches'],
  ['amount=50points', '0 events match'],
  ['amount=5BSM', '0 events match'],
  ['asset=token amount>=50', '1 event matches'],
])('%s filters the events, with their number', async (text, count) => {
  await openExplorer(text);
  await matches().getByText(count, { exact: true }).waitFor({ timeout: LONG_MS });
  if (text.includes(' ')) return;
  await type(text);
  await search().press('Enter');
  await matches().getByText(count, { exact: true }).waitFor({ timeout: LONG_MS });
});

it.each([
  ['feeRate', /\/configuration#withdraw\.feeRate$/],
  ['hot wallet', /\/configuration#withdraw\.hotWalletMaxTokenMinor$/],
  ['approvals', /\/approvals$/],
])('%s opens its place', async (text, url) => {
  await type(text);
  await search().press('Enter');
  await page.waitForURL(url, { timeout: LONG_MS });
});

it('shows the field of a value that was searched for', async () => {
  await type('fee rate');
  await page.getByRole('option', { name: /Withdrawals: Fee rate/ }).click();
  const field = page.getByLabel(/^Fee rate/);
  await expect
    .poll(() => field.evaluate((it) => it === document.activeElement), { timeout: LONG_MS })
    .toBe(true);
});

it('understands a time as the point in time of the page', async () => {
  await type('yesterday 14:00');
  await search().press('Enter');
  // The ledger of this test is younger.
  await page.getByRole('status').filter({ hasText: 'The ledger begins at' }).waitFor();
  await type('-0s');
  await page.getByRole('option', { name: /as of this time/ }).click();
  await page.waitForURL(/[?&]at=\d+&at-time=/, { timeout: LONG_MS });
});

it('searches an amount in both assets, and names them', async () => {
  await type('50 BSM');
  await search().press('Enter');
  await matches().getByText('1 event matches', { exact: true }).waitFor({ timeout: LONG_MS });
  await page.getByRole('button', { name: 'Remove amount=50BSM' }).getByText('50 BSM').waitFor();
  await type('50');
  const options = page.getByRole('option').filter({ hasText: /^amount=/ });
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual(['amount=50\npoints / BSM', 'amount=50points\npoints', 'amount=50BSM\nBSM']);
  await picture(page, 'console-search-amount');
  await options.first().click();
  const token = page.getByRole('button', { name: 'Remove amount=50' });
  await token.getByText('amount=50 points / BSM').waitFor();
  await matches().getByText('1 event matches', { exact: true }).waitFor({ timeout: LONG_MS });
});

it('keeps what is typed in the search line, on every page and at every speed', async () => {
  const pages = ['/overview', '/travel', '/audit', '/players', `/players/${player.address}`];
  pages.push('/withdrawals', '/deposits', '/house', '/configuration');
  for (const [index, path] of pages.entries()) {
    // A page that is new to the browser is still loading while the next token is typed.
    await page.goto(site.consoleUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor({ timeout: LONG_MS });
    await page.keyboard.press('/');
    const text = `type:BetPlaced player:${player.address} ga`;
    await page.keyboard.type(text, { delay: [0, 40, 100][index % 3] ?? 0 });
    await matches().getByText('3 events match').waitFor({ timeout: LONG_MS });
    expect(new URL(page.url()).pathname, path).toBe('/explorer');
    expect(await search().inputValue(), path).toBe('ga');
    expect(await search().evaluate((input) => input === document.activeElement)).toBe(true);
  }
}, 180_000);

it('opens an event by its position with separators and by the start of its hash', async () => {
  const [, thousands, rest] = /^(.*)(...)$/.exec(String(player.bet).padStart(4, '0')) ?? [];
  await type(`#${thousands},${rest}`);
  await search().press('Enter');
  await page.waitForURL(`**/events/${player.bet}`);
  const shown = page.locator('dd span[title]', { hasText: ' … ' });
  const hash = (await shown.first().textContent()) ?? '';
  for (const text of [hash, hash.slice(0, 8), `${hash.slice(0, 12)}…`]) {
    await type(text);
    await search().press('Enter');
    await page.waitForURL(`**/events/${player.bet}`);
  }
});

it('suggests objects while typing: a player by a part of the wallet, an event, an event type', async () => {
  await type(shortAddress(player.address));
  const options = page.getByRole('option');
  await options.getByText('player', { exact: true }).waitFor();
  await options.first().click();
  await page.waitForURL(`**/players/${player.address}`);
  await type(String(player.bet));
  await options.getByText(`event #${player.bet}`).waitFor();
  await options.getByText(`amount=${player.bet}`, { exact: true }).waitFor();
  await type('Placed');
  await options.getByText('type:BetPlaced').click();
  await matches().getByText('3 events match').waitFor({ timeout: LONG_MS });
});

it.each([
  ['betvo', 'type:BetVoided', 'Remove type:BetVoided'],
  // Also words of the configuration.
  ['welcome', 'type:WelcomeGranted', 'Remove type:WelcomeGranted'],
  ['slot', 'game:slot-machine', 'Remove game:slot-machine'],
  ['type:suspend', 'type:PlayerSuspended', 'Remove type:PlayerSuspended'],
  ['50 BSM', 'amount=50BSM', 'Remove amount=50BSM'],
])('%s and Enter does what the first suggestion does: %s', async (text, suggested, token) => {
  await type(text);
  await page.getByRole('option').first().getByText(suggested, { exact: true }).waitFor();
  await search().press('Enter');
  await page.getByRole('button', { name: token, exact: true }).waitFor({ timeout: LONG_MS });
});

it('completes the start of a key by Enter, as the first suggestion does', async () => {
  await type('directi');
  await page.getByRole('option').first().getByText('direction:', { exact: true }).waitFor();
  await search().press('Enter');
  await expect.poll(() => search().inputValue(), { timeout: LONG_MS }).toBe('direction:');
});

it('finds a player by the end of a wallet or as it is abbreviated, and a deposit by the start of its transaction', async () => {
  const { address } = player;
  const short = `${address.slice(0, 4)}...${address.slice(-4)}`;
  for (const text of [address.slice(-4), address.slice(-12), short]) {
    await type(text);
    await search().press('Enter');
    await page.waitForURL(`**/players/${address}`, { timeout: LONG_MS });
  }
  await page.goto(`${site.consoleUrl}/deposits?q=${address}`);
  const link = page.getByRole('table', { name: 'Deposits' }).locator('a[href*="signature"]');
  const signature = (await link.first().getAttribute('title', { timeout: LONG_MS })) ?? '';
  for (const text of [signature, signature.slice(0, 8)]) {
    await type(text);
    await page.getByRole('option').first().getByText(`deposit ${signature}`).waitFor();
    await search().press('Enter');
    await page.waitForURL(`**/deposits?q=${signature}`, { timeout: LONG_MS });
    await page.getByRole('table', { name: 'Deposits' }).getByText('Credited').waitFor();
  }
});

it('lists and exports nothing with an invalid filter, and states why', async () => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${site.consoleUrl}/explorer?q=type:Nope+amount%3Eten+whatever`);
  const alert = page.getByRole('alert');
  await alert.getByText('Unknown event type "Nope".').waitFor();
  await alert.getByText('amount>ten: an amount is a number').waitFor();
  await alert.getByText('"whatever" is not a filter.').waitFor();
  expect(await page.getByRole('button', { name: 'Export', exact: true }).isDisabled()).toBe(true);
  expect(requests.filter((url) => /\/explorer(\?|\/count)/.test(new URL(url).pathname))).toEqual(
    [],
  );
  expect(await page.locator('tbody tr').count()).toBe(0);
  await expectAccessible(page, 'invalid filter');
  await picture(page, 'console-search-invalid');
  // The server refuses it too.
  const { status } = await page.evaluate(() => fetch('/api/v1/admin/explorer?types=Nope'));
  expect(status).not.toBe(200);
});

it('filters by a pressed cell, and copies complete identifiers', async () => {
  await openExplorer();
  await page
    .getByRole('button', { name: 'BetLost' })
    .or(page.getByRole('button', { name: 'BetWon' }))
    .first()
    .click();
  await page.waitForURL(/type%3ABet(Won|Lost)/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${site.consoleUrl}/events/${player.bet}`);
  await page
    .getByRole('button', { name: /^Copy [0-9a-f]{64}$/ })
    .first()
    .click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const shown = page.locator('dd span[title]', { hasText: ' … ' });
  expect(copied).toBe(await shown.first().getAttribute('title'));
  // UTC, the local zone and the age.
  await picture(page, 'console-search-event');
  const time = await page.locator('main header time').textContent();
  expect(time).toMatch(/ UTC\d\d:\d\d:\d\d .+ · \d+ (s|min) ago$/);
  // One pair of steps, through the stream of the event; all of it fits a phone.
  expect(await page.getByText(/^‹ prev|next .*›$/).allTextContents()).toEqual([
    '‹ prev in stream',
    'next in stream ›',
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('opens a withdrawal by its id', async () => {
  const id = await player.withdraw(5);
  await type(id);
  await page.getByRole('option', { name: new RegExp(`^withdrawal ${id}`) }).waitFor();
  await search().press('Enter');
  await page.waitForURL(new RegExp(`/withdrawals/${id}$`), { timeout: LONG_MS });
  await page.getByRole('heading', { name: 'Withdrawal', level: 1 }).waitFor({ timeout: LONG_MS });
});
