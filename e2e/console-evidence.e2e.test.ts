/** Evidence is saved from the console's pages, and files are verified in the browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { act, enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'reelbook-e2e-evidence-'));

useSite();

let player: GivenPlayer;
let page: Page;
let key: string;

beforeAll(async () => {
  player = await givePlayer(site);
  [page] = await enterConsole(browser, await site.link('first'));
  const response = await fetch(`${site.url}/api/v1/fairness/key`);
  key = ((await response.json()) as { data: { public_key: string } }).data.public_key;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const goto = (path: string) => page.goto(site.consoleUrl + path);
const result = () => page.getByTestId('file-result');

async function save(button: string, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: LONG_MS }),
    page.getByRole('button', { name: button }).first().click(),
  ]);
  const file = join(folder, name);
  await download.saveAs(file);
  return file;
}

async function choose(file: string, publicKey: string): Promise<void> {
  await goto('/replay');
  await page.getByLabel('Public key of the site').fill(publicKey);
  await page.getByLabel('Choose a file').setInputFiles(file);
  await result().waitFor({ timeout: LONG_MS });
}

it('saves evidence of an adjustment, which the browser verifies with its reason', async () => {
  await goto(`/players/${player.address}`);
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = page.getByRole('dialog');
  for (const typed of ['-50', '−50', '1,5']) {
    await dialog.getByRole('textbox', { name: 'Amount' }).fill(typed);
    await dialog.getByText('Not an amount. Write it like 1,000.50.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Adjust balance' }).isDisabled()).toBe(true);
  }
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('5');
  await page.getByTestId('appended').getByText('BalanceAdjusted').waitFor();
  await act(page, 'Adjust balance', 'agreed with the player');
  await dialog.waitFor({ state: 'detached', timeout: LONG_MS });
  const file = await save('Save evidence', 'player.json');
  await choose(file, key);
  await result().getByText('Valid', { exact: true }).waitFor();
  await result().getByText('agreed with the player').waitFor();
  await expectAccessible(page, 'evidence');
  await picture(page, 'console-evidence-valid');
});

it('names the altered event of a file', async () => {
  await goto(`/events/${player.bet}`);
  const file = await save('Save evidence', 'bet.json');
  const evidence = JSON.parse(readFileSync(file, 'utf8'));
  const altered = evidence.events.find((one: { position: number }) => one.position === player.bet);
  altered.body = altered.body.replace('"stakeMinor":"500"', '"stakeMinor":"900"');
  const forged = join(folder, 'forged.json');
  writeFileSync(forged, JSON.stringify(evidence));
  await choose(forged, key);
  await result().getByText('2 faults').waitFor();
  await result()
    .getByRole('link', { name: `Open event ${player.bet.toLocaleString('en')}` })
    .waitFor();
  await expectAccessible(page, 'evidence with faults');
  await picture(page, 'console-evidence-faulty');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'evidence on a phone');
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(390);
  await picture(page, 'console-evidence-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('verifies an export of the console; the key of another site does not match', async () => {
  await goto(`/explorer?q=player:${player.address}+type:BetPlaced`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByText('npm run reelbook -- verify FILE --site URL').waitFor();
  await page.getByText('It does not prove that the filter left no event out.').waitFor();
  await expectAccessible(page, 'export');
  const file = await save('Export JSONL', 'bets.jsonl');
  await choose(file, key);
  await result().getByText('Valid', { exact: true }).waitFor();
  await result().getByText('Not proven: that the filter left no event out.').waitFor();
  await choose(file, 'ab'.repeat(32));
  await result().getByText('1 fault', { exact: true }).waitFor();
  await choose(file, '');
  await result().getByText('No fault, origin not proven').waitFor();
  const text = readFileSync(file, 'utf8');
  const forged = join(folder, 'forged.jsonl');
  writeFileSync(forged, text.replace('\\"stakeMinor\\":\\"500\\"', '\\"stakeMinor\\":\\"900\\"'));
  await choose(forged, key);
  await result()
    .getByRole('link', { name: `Open event ${player.bet.toLocaleString('en')}` })
    .waitFor();
});
