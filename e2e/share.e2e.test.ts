/** A won round that is shown to others: rotated first, then a link and a picture that draw it again without a login. */
import { readFile } from 'node:fs/promises';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { landed, signIn } from './player.ts';
import { installWallet, type TestWallet } from './test-wallet.ts';
import { browser, context, page, site, useSite, useVisitor } from './use-site.ts';
import { paysMultiple, wantDraws } from './wanted-draws.ts';

const SIZES = [1440, 390, 320];

useSite();
useVisitor();

let wallet: TestWallet;
beforeEach(async () => {
  wallet = await installWallet(context);
  await signIn(page, site.url);
  await wantDraws(page, site, (drawsOf) => paysMultiple(12n)(drawsOf(0)));
  await page.goto(`${site.url}/slot-machine`);
  await page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await landed(page);
});

const dialog = () => page.getByRole('dialog');
const link = async () =>
  (await dialog().getByRole('link', { name: 'Open the verifier' }).getAttribute('href')) ?? '';

async function openProof(): Promise<void> {
  await site.caughtUp();
  await page.goto(`${site.url}/history`);
  await page
    .getByRole('link', { name: /Open the proof/ })
    .first()
    .click();
  await dialog().getByRole('button', { name: 'Share this win' }).click();
}

async function share(): Promise<void> {
  await openProof();
  await dialog().getByRole('button', { name: 'Rotate and share' }).click();
  await dialog()
    .getByRole('img', { name: /^Picture: Three crowns, 12 times/ })
    .waitFor();
}

/** All widths, both themes: axe and no horizontal scrolling. */
async function look(of: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light']) {
    await of.evaluate((chosen) => {
      document.documentElement.dataset.theme = chosen;
    }, theme);
    await expectAccessible(of, `${name} ${theme}`);
    for (const width of SIZES) {
      await of.setViewportSize({ width, height: 844 });
      const over = await of.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over, `${name} at ${width}`).toBeLessThanOrEqual(0);
      await picture(of, `${name}-${theme}-${width}`);
    }
  }
}

it('offers the rotation first, then a link without the player, and copies it', async () => {
  await openProof();
  await dialog().getByText('Rotate first').waitFor();
  expect(await dialog().getByRole('link', { name: 'Open the verifier' }).count()).toBe(0);
  await look(page, 'share-first');
  await dialog().getByRole('button', { name: 'Rotate and share' }).click();
  await dialog()
    .getByRole('img', { name: /^Picture: Three crowns, 12 times/ })
    .waitFor();
  const shared = await link();
  const publicId = await page.evaluate(() => JSON.parse(localStorage.user ?? '{}').public_id);
  expect(publicId).toMatch(/^[0-9a-z]+$/);
  for (const secret of [wallet.address, publicId]) expect(shared).not.toContain(secret);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog().getByRole('button', { name: 'Copy the link' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shared);
  await look(page, 'share');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await page.locator('footer').getByRole('button', { name: '中文' }).click();
  await page
    .getByRole('link', { name: /打开位置|证明/ })
    .first()
    .click();
  await dialog().getByRole('button', { name: '分享这次获胜' }).click();
  await dialog()
    .getByRole('img', { name: /^图片：/ })
    .waitFor();
  await look(page, 'share-zh');
});

it('a link is drawn again by a visitor without a login, and proves play only with the key of the site', async () => {
  await share();
  const shared = await link();
  const visitor = await visit(browser, 'phone');
  const requested: string[] = [];
  visitor.page.on('request', (request) => requested.push(request.url()));
  await visitor.page.goto(shared);
  const verdict = visitor.page.locator('#verdict');
  await verdict
    .getByText('DRAWN AGAIN: Slot machine, three crowns: 12×, up to the maximum win. Not checked')
    .waitFor();
  expect(await verdict.getAttribute('data-state')).toBe('open');
  const checks = () =>
    visitor.page
      .locator('#checks li')
      .evaluateAll((all) =>
        Object.fromEntries(all.map(({ dataset }) => [dataset.check, dataset.state])),
      );
  const drawn = { rules: 'passes', seed: 'passes', draw: 'passes' };
  expect(await checks()).toEqual({ ...drawn, signature: 'open' });
  await look(visitor.page, 'verifier-shared');
  // The fragment is sent to no server, and nothing else is requested.
  expect(requested.map((url) => new URL(url).pathname)).toEqual(['/verifier.html']);
  const reply = await fetch(`${site.url}/api/v1/fairness/key`);
  const { public_key: key } = (await reply.json()).data;
  await visitor.page.getByLabel(/Public key/).fill(key);
  await visitor.page.getByRole('button', { name: 'Verify' }).click();
  await verdict.getByText('signed that a round was won with it').waitFor();
  expect(await verdict.getAttribute('data-state')).toBe('passes');

  // Forged: another nonce under the same signature, no round at all, and a text that is too long.
  for (const [hash, words] of [
    [shared.split('#')[1]?.replace('nonce=0', 'nonce=1'), /^NOT VERIFIED/],
    ['round=reelbook-shared-round-1&rules=<img src=x>', /no shared round/],
    [`round=${'x'.repeat(3_000)}`, /not the link of a shared round/],
  ] as const) {
    await visitor.page.evaluate((to) => {
      location.hash = to;
    }, hash ?? '');
    await expect.poll(() => verdict.textContent()).toMatch(words);
    expect(await verdict.getAttribute('data-state')).toBe('fails');
  }
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
});

it('a picture is a PNG whose code opens the verifier with the same round', async () => {
  await share();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog().getByRole('button', { name: 'Save the picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('reelbook-win.png');
  const file = await readFile(await download.path());
  const { data, width, height } = await page.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const drawing = canvas.getContext('2d');
      drawing?.drawImage(image, 0, 0);
      // Only the part with the code: all pixels take long from the page to the test.
      const pixels = drawing?.getImageData(780, 50, 370, 370).data ?? [];
      return { data: [...pixels], width: image.width, height: image.height };
    },
    `data:image/png;base64,${file.toString('base64')}`,
  );
  expect([width, height]).toEqual([1_200, 630]);
  expect(jsQR.default(Uint8ClampedArray.from(data), 370, 370)?.data).toBe(await link());
});
