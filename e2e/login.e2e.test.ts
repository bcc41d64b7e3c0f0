import { describe, expect, it } from 'vitest';
import { openConnect, signIn, waitForText } from './player.ts';
import { installWallet, TEST_WALLET } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

/** The message of the next login. */
async function messageOf(act: () => Promise<void>): Promise<string> {
  const sent = page.waitForRequest('**/api/v1/auth/login');
  await act();
  return ((await sent).postDataJSON() as { message: string }).message;
}

describe('a wallet without solana:signIn', () => {
  it('signs the sentence that names the site', async () => {
    await installWallet(context);
    const message = await messageOf(() => signIn(page, site.url));
    const origin = site.url.replace('127.0.0.1', 'localhost');
    expect(message.replace(/\d{13}$/, '')).toBe(
      `Sign this message to log in to Reelbook at ${origin}: `,
    );
  });
});

describe('a wallet with solana:signIn', () => {
  it('signs in with it', async () => {
    const wallet = await installWallet(context, { signIn: true });
    const { host, origin } = new URL(site.url);
    const message = await messageOf(() => signIn(page, site.url));
    expect(message.split('\n').slice(0, 6)).toEqual([
      `${host} wants you to sign in with your Solana account:`,
      wallet.address,
      '',
      'Log in to Reelbook.',
      '',
      `URI: ${origin}`,
    ]);
  });

  it('opens no session when the player rejects the request', async () => {
    const wallet = await installWallet(context, { signIn: true });
    await page.goto(site.url);
    await openConnect(page);
    await wallet.behave(page, { sign: 'reject' });
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await waitForText(page, 'Wallet connection was rejected by user.');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
});

it('a page of another origin than that of the site asks for no signature', async () => {
  const wallet = await installWallet(context);
  await page.route('**/api/v1/config/system', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.origin = 'https://play.example.com';
    await route.fulfill({ response, json: body });
  });
  await page.goto(site.url);
  await openConnect(page);
  await wallet.behave(page, { connect: 'reject' });
  await page.getByRole('button', { name: TEST_WALLET }).click();
  await waitForText(page, 'You cannot log in here. Open https://play.example.com.');
});

describe('a device whose clock is wrong', () => {
  const MINUTE_MS = 60_000;
  it.each([
    ['a day behind', -24 * 60, 1440],
    ['6 minutes behind', -6, 6],
    ['2 hours ahead', 120, 120],
  ])('%s logs in and is named', async (_, minutes, shown) => {
    await installWallet(context);
    await page.clock.setFixedTime(Date.now() + minutes * MINUTE_MS);
    await page.goto(site.url);
    await openConnect(page);
    await waitForText(page, `The clock of this device is wrong by ${shown} minutes.`);
    await page.getByRole('button', { name: TEST_WALLET }).click();
    await page.locator('.holdings').waitFor();
  });

  it('one that is right is not named', async () => {
    await installWallet(context);
    await page.goto(site.url);
    await openConnect(page);
    await page.getByRole('button', { name: TEST_WALLET }).waitFor();
    expect(await page.getByText('The clock of this device').count()).toBe(0);
  });
});
