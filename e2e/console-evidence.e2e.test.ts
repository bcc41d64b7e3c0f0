/** Evidence and exports are saved from the console's pages, and verified by the command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { act, enterConsole, type GivenPlayer, givePlayer } from './console-given.ts';
import { browser, site, useSite } from './use-site.ts';

const LONG_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'reelbook-e2e-evidence-'));

useSite();

let player: GivenPlayer;
let page: Page;

beforeAll(async () => {
  player = await givePlayer(site);
  [page] = await enterConsole(browser, await site.link('first'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const goto = (path: string) => page.goto(site.consoleUrl + path);
async function save(button: string, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: LONG_MS }),
    page.getByRole('button', { name: button }).first().click(),
  ]);
  const file = join(folder, name);
  await download.saveAs(file);
  return file;
}

async function verify(file: string): Promise<string> {
  const { output } = await site.run('verify', file, '--site', site.url);
  return output;
}

it('saves evidence of an adjustment, which the command verifies with its reason', async () => {
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
  const output = await verify(file);
  expect(output).toMatch(/^VALID/m);
  expect(output).toContain('agreed with the player');
});

it('exports the events of a filter, and the command names one that was altered', async () => {
  await goto(`/explorer?q=player:${player.address}+type:BetPlaced`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByText('npm run reelbook -- verify FILE --site URL').waitFor();
  await page.getByText('It does not prove that the filter left no event out.').waitFor();
  await expectAccessible(page, 'export');
  const file = await save('Export JSONL', 'bets.jsonl');
  expect(await verify(file)).toMatch(/^VALID/m);
  const text = readFileSync(file, 'utf8');
  const forged = join(folder, 'forged.jsonl');
  writeFileSync(forged, text.replace('\\"stakeMinor\\":\\"500\\"', '\\"stakeMinor\\":\\"900\\"'));
  expect(await verify(forged)).toMatch(new RegExp(`^FAULT .*#${player.bet}: `, 'm'));
});
