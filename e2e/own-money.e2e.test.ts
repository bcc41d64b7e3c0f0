/** A player's payments, filters, statement and data, in a real browser. */
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { respond, signIn, waitForText } from './player.ts';
import { installWallet, newAddress, type TestWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

const LONG_MS = 60_000;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

useSite();
useVisitor();

let wallet: TestWallet;
beforeEach(async () => {
  wallet = await installWallet(context);
  await signIn(page, site.url);
});

/** Both widths, themes and languages: axe, and no horizontal scrolling. The last click returns to English. */
async function look(name: string): Promise<void> {
  for (const other of ['中文', 'English']) {
    for (const theme of ['dark', 'light']) {
      await page.evaluate(async (chosen) => {
        document.documentElement.dataset.theme = chosen;
        const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
        await Promise.allSettled(fading.map((one) => one.finished));
      }, theme);
      // The button shows the other language.
      const shown = `${name}-${other === 'English' ? 'zh' : 'en'}-${theme}`;
      await expectAccessible(page, shown);
      await picture(page, `${shown}-1440`);
      await page.setViewportSize(PHONE);
      expect(await overflow(page), shown).toBe(0);
      await picture(page, `${shown}-390`);
      await page.setViewportSize(DESKTOP);
    }
    await page.locator('footer').getByRole('button', { name: other }).click();
    const lang = other === '中文' ? 'zh-CN' : 'en';
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(lang);
  }
}

const overflow = (of: Page) =>
  of.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

const panel = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });

async function exchange(points: string): Promise<void> {
  await page.goto(`${site.url}/wallet`);
  await page.getByRole('button', { name: 'Exchange' }).click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  await dialog.getByRole('textbox').fill(points);
  await dialog.getByRole('button', { name: 'Exchange' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function withdraw(amount: string, to = wallet.address): Promise<void> {
  const own = panel('Withdraw');
  await own.getByRole('textbox', { name: 'Amount (BSM)' }).fill(amount);
  await own.getByRole('textbox', { name: 'To wallet address' }).fill(to);
  await own.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
}

describe('a payment', () => {
  it('of BSM to the wallet has a page whose steps follow it to the chain', async () => {
    await exchange('1000');
    await withdraw('5');
    await page.waitForURL(/\/payments\/[0-9a-z]+-w1$/);
    // Without a reload: until it is sent, only the live channel reports its steps.
    const steps = page.getByRole('listitem').filter({ hasText: 'Final' });
    await steps.getByText('Done:').waitFor({ timeout: LONG_MS });
    await page.locator('main').getByText('completed', { exact: true }).waitFor();
    const details = panel('Details');
    await details.getByText(wallet.address).waitFor();
    for (const amount of ['5.00 BSM', '0.25 BSM', '4.75 BSM']) {
      await details.getByText(amount, { exact: true }).waitFor();
    }
    await details.getByText('Local chain: no block explorer shows it.').waitFor();
    expect(await page.locator('main time').first().textContent()).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
    );
    expect(await page.title()).toContain('Deposit or withdrawal');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await details.getByRole('button', { name: 'Copy the address' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);
    await look('payment');
    await page.getByRole('link', { name: '‹ Wallet' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Withdrawal' });
    const [start, end] = [wallet.address.slice(0, 4), wallet.address.slice(-4)];
    await row.getByText(`to ${start}…${end} · fee 0.25 · transaction`).waitFor();
    await row.getByRole('link', { name: 'Withdrawal' }).click();
    await page.waitForURL(/\/payments\//);
    // As on a chain that a block explorer shows.
    const explorerUrl = 'https://explorer.solana.com/tx/1';
    await page.route('**/api/v1/user/payments/*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const data = { ...body.data, explorer_url: explorerUrl };
      await route.fulfill({ response, json: { ...body, data } });
    });
    await page.reload();
    const link = details.getByRole('link', { name: 'Open in the block explorer' });
    expect(await link.getAttribute('href')).toBe(explorerUrl);
    await page.unroute('**/api/v1/user/payments/*');
    // The next one shows how long past ones took, while it waits.
    await page.goto(`${site.url}/wallet`);
    await wallet.behave(page, { sign: 'reject' });
    await withdraw('5', newAddress());
    await page.getByRole('button', { name: 'Send for review' }).click();
    await waitForText(page, /\d seconds? from request to final/);
  });

  it('to another wallet without a signature shows why it waits', async () => {
    await exchange('1000');
    await wallet.behave(page, { sign: 'reject' });
    await withdraw('5', newAddress());
    await page.getByRole('button', { name: 'Send for review' }).click();
    await waitForText(page, /it did not sign: awaiting approval, 0 of 2/);
    await expect
      .poll(() => page.locator('[aria-current=step]').textContent())
      .toContain('Approved');
    await look('payment-waiting');
  });

  it('of a deposit has a page too, and one of others is not found', async () => {
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Fill my wallet' }).click();
    await waitForText(page, /Your wallet received .* play BSM/);
    await page.locator('.cabinet dd', { hasText: '100.00' }).waitFor();
    const own = panel('Deposit');
    await own.getByRole('button', { name: 'MAX' }).click();
    expect(await own.getByRole('textbox').inputValue()).toBe('100');
    await own.getByRole('textbox').fill('5');
    await own.getByRole('button', { name: 'Deposit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deposit' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Deposit' }).first();
    await row.getByRole('link', { name: 'Deposit' }).click({ timeout: LONG_MS });
    await waitForText(page, 'Final on the chain and credited');
    await page
      .locator('main')
      .getByText('completed', { exact: true })
      .waitFor({ timeout: LONG_MS });
    await page.goto(`${site.url}/payments/${'5'.repeat(88)}`);
    await waitForText(page, 'You have no such deposit or withdrawal.');
  });
});

it.each(['event=999999', 'round=unknown-1'])(
  '?%s: what a restore has lost is shown',
  async (sought) => {
    const range = { epoch: 1, from: 41, to: 58, before: '2026-11-20T10:11:12.000Z' };
    const data = { algorithm: 'ed25519', public_key: '', receipt_version: '', lost: [range] };
    await respond(page, '/fairness/key', { status: 200, message: 'ok', data });
    await page.goto(`${site.url}/fairness?${sought}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/None of your (events|rounds) has this/).waitFor();
    await dialog
      .getByText(/restored from a backup at 2026-11-20 .* lost its events from #41 to #58/)
      .waitFor();
    await expectAccessible(page, 'a lost event');
  },
);

describe('the lists', () => {
  it('are filtered by the URL, keep the filters in a proof, and show when nothing matches', async () => {
    await exchange('100');
    await page.getByLabel('Type', { exact: true }).selectOption('exchange');
    const rows = page.getByRole('row').filter({ hasText: 'Exchange' });
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Type', { exact: true }).selectOption('games');
    await waitForText(page, 'Nothing matches these filters');
    await page.getByLabel('Type', { exact: true }).selectOption('money');
    await page.getByRole('row').filter({ hasText: 'Welcome points' }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Type', { exact: true }).selectOption('exchange');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('type')).toBe('exchange');
    await page.reload();
    await expect.poll(() => rows.count()).toBe(2);
    for (const header of ['Type', 'Time', 'Amount', 'Balance after', 'Position']) {
      await page.getByRole('columnheader', { name: header, exact: true }).waitFor();
    }
    await look('wallet-filtered');
    // The chip of an exchange opens its facts in human units; the raw event is the second tab.
    await rows
      .first()
      .getByRole('link', { name: /Open the proof/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Exchange' }).waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe('exchange');
    const given = dialog.locator('dl > div', { hasText: 'Given' });
    expect(await given.textContent()).toContain('100.00 points');
    const received = dialog.locator('dl > div', { hasText: 'Received' });
    expect(await received.textContent()).toContain('1.00 BSM');
    await picture(page, 'event-readable');
    await expectAccessible(page, 'an event');
    await dialog.getByRole('tab', { name: 'Raw event' }).click();
    await dialog.getByText('"fromMinor": "10000"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await waitForText(page, 'Nothing matches these filters');
    await picture(page, 'wallet-no-match');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row').filter({ hasText: 'Welcome points' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('of rounds are filtered by game, status and period', async () => {
    await page.goto(`${site.url}/slot-machine`);
    await page.getByRole('button', { name: 'SPIN' }).click();
    await page.locator('.result-line', { hasText: /You win|Try again!|Jackpot/ }).waitFor();
    await site.caughtUp();
    await page.goto(`${site.url}/history`);
    await page.locator('.history-row:not(.history-head)').waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('voided');
    await waitForText(page, 'Nothing matches these filters');
    await page.getByLabel('Period', { exact: true }).selectOption('week');
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await page.locator('.history-row:not(.history-head)').waitFor();
    await look('history-filtered');
    await page.getByRole('tab', { name: 'Snake' }).click();
    expect(new URL(page.url()).search).toBe('?period=week&game=snake');
    await waitForText(page, 'Nothing matches these filters');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForText(page, 'You have not played this game yet.');
    await page.goto(`${site.url}/snake`);
    await page.locator('[data-play]').click();
    await page.locator('.mini-outcome[data-phase=over]').waitFor();
    await site.caughtUp();
    await page.goto(`${site.url}/history`);
    await page.locator('.history-row', { hasText: /Snake · Length \d+/ }).waitFor();
    expect(await page.locator('.history-row:not(.history-head)').count()).toBe(2);
    expect(await page.getByRole('tab', { name: 'All games' }).getAttribute('data-state')).toBe(
      'active',
    );
    await look('history-all');
  });
});

it('the bounds of each form are shown before they are met', async () => {
  await page.goto(`${site.url}/wallet`);
  await expect.poll(() => page.getByText('1 to 1,000,000 BSM per transaction').count()).toBe(2);
  const own = panel('Withdraw');
  await own.getByText('Per 24 hours: 10,000.00 BSM').waitFor();
  await own.getByText('Per hour: 2,000.00 BSM, 10 payments').waitFor();
  await own.getByText('Without manual approval, up to 1,000.00 BSM each').waitFor();
  // The address is seen in full, also on a narrow phone.
  const to = own.getByRole('textbox', { name: 'To wallet address' });
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const cut = await to.evaluate((one) => [
      one.scrollWidth - one.clientWidth,
      one.scrollHeight - one.clientHeight,
    ]);
    expect(cut, `${width}`).toEqual([0, 0]);
  }
  await page.getByRole('button', { name: 'Exchange' }).click();
  const dialog = page.getByRole('dialog', { name: 'Exchange' });
  await dialog.getByText('1 point = 0.01 BSM · Minimum 0.01 points').waitFor();
  await dialog.getByRole('tab', { name: 'BSM to points' }).click();
  await dialog.getByText('Minimum 0.0001 BSM').waitFor();
  await page.goto(`${site.url}/limits`);
  await waitForText(page, /From 0, with at most 2 decimal places/);
});

describe('my data', () => {
  const saved = async (button: string): Promise<{ download: Download; text: string }> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return { download, text: await readFile(await download.path(), 'utf8') };
  };

  it('is a statement of a period on the screen and as a file', async () => {
    await exchange('100');
    await site.caughtUp();
    await page.goto(`${site.url}/profile`);
    await page.getByRole('link', { name: 'My data' }).click();
    const points = page.locator('table', { hasText: 'Points' });
    await points.getByText('900.00', { exact: true }).waitFor();
    const rows = await points.getByRole('row').allTextContents();
    expect(rows.slice(1)).toEqual([
      'Opening balance0.00',
      'Welcome points× 1+1,000.00',
      'Exchange× 1−100.00',
      'Closing balance900.00',
    ]);
    await page.getByLabel('Period', { exact: true }).selectOption('custom');
    await page.getByLabel('To, included').fill('2026-03-01');
    await expect.poll(() => points.getByText('0.00', { exact: true }).count()).toBe(2);
    await page.getByLabel('From').fill('2026-03-02');
    await page.getByText('Enter existing dates').waitFor();
    await page.getByLabel('To, included').fill('');
    await page.getByLabel('Time zone').selectOption('utc');
    await waitForText(page, /From 2026-03-02 00:00:00 UTC to .* UTC/);
    await look('my-data');
    const { download, text } = await saved('Download CSV');
    expect(download.suggestedFilename()).toBe('reelbook-statement.csv');
    expect(text).toContain('balance,points,closing,,,900.00\r\n');
    const json = JSON.parse((await saved('Download JSON')).text) as { assets: object[] };
    expect(json.assets[0]).toMatchObject({ asset: 'points', closing: '900.00' });
  });

  it('is everything in one file, which the offline verifier accepts', async () => {
    await page.goto(`${site.url}/slot-machine`);
    await page.getByRole('button', { name: 'SPIN' }).click();
    await page.locator('.result-line', { hasText: /You win|Try again!|Jackpot/ }).waitFor();
    await site.caughtUp();
    await page.goto(`${site.url}/my-data`);
    const { download } = await saved('Download all my data');
    await page.goto(`${site.url}/verifier.html`);
    await page.locator('#file').setInputFiles(await download.path());
    const verdict = page.locator('#verdict');
    await expect.poll(() => verdict.getAttribute('data-state')).toMatch(/passes|open/);
    expect(await page.locator('#checks').textContent()).toMatch(
      /content receipts of rounds: 1; other events: \d+/,
    );
    expect(await page.locator('[data-state=fails]').count()).toBe(0);
  });
});
