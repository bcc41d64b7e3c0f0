/** The sessions of a player, on the profile page. */
import { loginMessage } from '@reelbook/contract/login';
import type { SystemConfig } from '@reelbook/contract/player/public';
import { must } from '@reelbook/simulator/client/api';
import { expect, it } from 'vitest';
import { signIn } from './player.ts';
import { installWallet, type TestWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

/** Logs the player in without the page, as another browser does. @returns the token. */
async function loginElsewhere(wallet: TestWallet): Promise<string> {
  const { login_sentence: sentence } = await must<SystemConfig>(site.url, '/config/system');
  const message = loginMessage(Date.now(), sentence);
  const signature = await page.evaluate((text) => {
    const { testWalletSign } = window as unknown as {
      testWalletSign(bytes: number[]): Promise<number[]>;
    };
    return testWalletSign([...new TextEncoder().encode(text)]);
  }, message);
  const reply = await fetch(`${site.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wallet_address: wallet.address, signature: signature.join(), message }),
  });
  return (await reply.json()).data.token;
}

async function statusOf(token: string | null): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${site.url}/api/v1/user/profile`, { headers })).status;
}

it('lists the sessions, ends one of them, and logs out everywhere', async () => {
  const wallet = await installWallet(context);
  await signIn(page, site.url);
  const [ended, other] = [await loginElsewhere(wallet), await loginElsewhere(wallet)];
  const own = await page.evaluate(() => localStorage.getItem('token'));
  expect(await Promise.all([own, ended, other].map(statusOf))).toEqual([200, 200, 200]);

  await page.goto(`${site.url}/profile`);
  const section = page.locator('section', {
    has: page.getByRole('heading', { name: 'Sessions', exact: true }),
  });
  const row = section.getByRole('listitem');
  await row.nth(2).waitFor();
  expect(await row.filter({ hasText: 'This browser' }).count()).toBe(1);
  // The one logged in last is the first in the list.
  await row
    .nth(1)
    .getByRole('button', { name: /^End this session: Logged in/ })
    .click();
  await row.nth(2).waitFor({ state: 'detached' });
  await expect.poll(() => statusOf(ended)).toBe(401);
  expect(await Promise.all([own, other].map(statusOf))).toEqual([200, 200]);

  const tab = await context.newPage();
  await tab.goto(`${site.url}/profile`);
  await tab.locator('.holdings').waitFor();
  await section.getByRole('button', { name: 'Log out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click();
  for (const one of [page, tab]) {
    await one.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).waitFor();
    expect(await one.evaluate(() => localStorage.getItem('token'))).toBeNull();
  }
  for (const token of [own, other]) {
    await expect.poll(() => statusOf(token)).toBe(401);
  }
});
