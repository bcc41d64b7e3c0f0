import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { publicKeyOf, type Receipt, signReceipt } from '@reelbook/games/proofs/receipt';
import {
  SAMPLE_ROUND,
  SAMPLE_SECRET,
  sampleBody,
  sampleReceipt,
} from '@reelbook/testing/sample-receipt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildVerifier } from '../web-player/verifier/build.ts';
import { expectAccessible, picture, visit } from './browser.ts';
import { browser, useBrowser } from './use-site.ts';

const KEY = publicKeyOf(SAMPLE_SECRET);

let page: Page;
let faults: string[];
let folder: string;
const requested: string[] = [];

useBrowser();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelbook-verifier-'));
  const file = join(folder, 'verifier.html');
  await writeFile(file, await buildVerifier());
  const visitor = await visit(browser, 'desktop');
  ({ page, faults } = visitor);
  await visitor.context.setOffline(true);
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(pathToFileURL(file).href);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Pastes a text and a key, and verifies. */
async function verify(text: string, key = ''): Promise<{ state: string; words: string }> {
  await page.getByLabel('Text of a receipt or a proof').fill(text);
  await page.getByLabel(/Public key/).fill(key);
  await page.getByRole('button', { name: 'Verify' }).click();
  const verdict = page.locator('#verdict');
  const state = (await verdict.getAttribute('data-state')) ?? '';
  return { state, words: (await verdict.textContent()) ?? '' };
}

async function failing(): Promise<Record<string, string>> {
  const lines = await page.locator('li[data-state=fails]').all();
  const read = lines.map(async (line) => [
    (await line.getAttribute('data-check')) ?? '',
    (await line.textContent()) ?? '',
  ]);
  return Object.fromEntries(await Promise.all(read));
}

describe('the verifier, opened from disk with the network off', () => {
  it('verifies a valid receipt, from a file and from its text', async () => {
    const receipt = JSON.stringify(sampleReceipt());
    const file = join(folder, 'receipt.json');
    await writeFile(file, receipt);
    await page.getByLabel('File: a receipt, a proof or My data').setInputFiles(file);
    await page.getByText('VERIFIED: all 9 checks pass.').waitFor();
    expect(await verify(receipt, KEY)).toEqual({
      state: 'passes',
      words: 'VERIFIED: all 9 checks pass.',
    });
    const wrapped = JSON.stringify({ code: 200, message: 'success', data: sampleReceipt() });
    expect((await verify(wrapped)).state).toBe('passes');
    await expectAccessible(page, 'verifier');
    await picture(page, 'verifier-good');
  });

  it('accepts a pasted Solana response, and nothing else', async () => {
    const solana = page.getByLabel(/Solana response/);
    const receipt = JSON.stringify(sampleReceipt());
    await solana.fill('{"result":null}');
    expect(await verify(receipt)).toMatchObject({ state: 'open' });
    expect(await page.locator('li[data-check=solana]').textContent()).toContain('nothing of it');
    await solana.fill('no JSON');
    expect(await verify(receipt)).toEqual({
      state: 'fails',
      words: 'The Solana response is not valid JSON.',
    });
    await solana.fill('');
  });

  it('proves a single event', async () => {
    const [committed, chosen, bet] = sampleReceipt().events;
    expect(await verify(JSON.stringify(committed))).toEqual({
      state: 'passes',
      words: 'VERIFIED: all 2 checks pass.',
    });
    expect(await verify(JSON.stringify({ ...bet, commitment: [committed, chosen] }))).toEqual({
      state: 'passes',
      words: 'VERIFIED: all 3 checks pass.',
    });
  });

  const timed = { ...SAMPLE_ROUND, game: 'tetris', rules: 'tetris-1', stakeMinor: 1_000n };

  it('replays a timed round, from the first tick to the last', async () => {
    expect(await verify(JSON.stringify(sampleReceipt(timed)), KEY)).toEqual({
      state: 'passes',
      words: 'VERIFIED: all 9 checks pass.',
    });
  });

  it('shows what cannot be checked yet', async () => {
    const body = sampleBody();
    const events = body.events.map((event) => ({
      ...event,
      status: 'not sealed yet' as const,
      inclusion: null,
    }));
    const early = { ...body, events, server_seed: null, seed_status: 'awaiting reveal' as const };
    expect(await verify(JSON.stringify(signReceipt(early, SAMPLE_SECRET)))).toEqual({
      state: 'open',
      words: 'No check fails, but 3 cannot be done yet.',
    });
  });

  // The holder of the key can sign false statements: only the first case is caught by the signature.
  const forge = (change: (body: ReturnType<typeof sampleBody>) => object) =>
    signReceipt({ ...sampleBody(), ...change(sampleBody()) }, SAMPLE_SECRET);
  const tampered: [string, () => Receipt, string, string][] = [
    [
      'a payout that was changed afterwards',
      () => ({ ...sampleReceipt(), payout_minor: '999999900' }),
      'signature',
      'changed after it was signed',
    ],
    [
      'another outcome than that of the seeds',
      () => forge(() => ({ outcome: { symbols: [1, 1, 1] }, payout_minor: '62500' })),
      'draw',
      'not what seeds and rules give',
    ],
    [
      'a timed round with more ticks than it had',
      () => {
        const body = sampleBody(timed);
        const outcome = { ...body.outcome, ticks: Number(body.outcome?.ticks) + 1 };
        return signReceipt({ ...body, outcome }, SAMPLE_SECRET);
      },
      'draw',
      'not what seeds and rules give',
    ],
    [
      'a seed without a commitment',
      () => forge(() => ({ server_seed: 'f'.repeat(64) })),
      'seed',
      'not the one that was committed to',
    ],
    [
      'a sealed text with another stake',
      () =>
        forge(({ events }) => ({
          events: events.map((one) => ({ ...one, body: one.body.replace('2500', '2600') })),
        })),
      'chain',
      'does not follow from its text',
    ],
    [
      'an event under another root',
      () =>
        forge(({ events }) => ({
          events: events.map((one) => ({
            ...one,
            inclusion: one.inclusion && { ...one.inclusion, root: 'e'.repeat(64) },
          })),
        })),
      'inclusion',
      'is not under the root of seal 1',
    ],
    [
      'rules of another text',
      () => forge(() => ({ rules_hash: '0'.repeat(64) })),
      'rules',
      'the receipt has 0000',
    ],
    [
      'a posting that pays more',
      () => forge(({ postings }) => ({ postings: postings.slice(1) })),
      'postings',
      'not those of its events',
    ],
  ];
  it.each(tampered)('rejects %s, with the reason', async (_name, receipt, check, words) => {
    expect((await verify(JSON.stringify(receipt()), KEY)).state).toBe('fails');
    expect((await failing())[check]).toContain(words);
  });

  it('rejects a receipt that another key signed', async () => {
    const forged = signReceipt(
      sampleBody(),
      Uint8Array.from({ length: 32 }, () => 9),
    );
    expect((await verify(JSON.stringify(forged), KEY)).state).toBe('fails');
    expect(await failing()).toMatchObject({
      signature: expect.stringContaining('signed by another key than you expect'),
    });
    // Without an expected key it can only show which key signed.
    expect((await verify(JSON.stringify(forged))).state).toBe('passes');
  });

  it.each([
    ['', 'This is not a JSON receipt.'],
    ['7', 'This is not a JSON receipt.'],
    ['{"signature":1}', 'this is no receipt of version reelbook-receipt-2'],
    ['{"a":1}', 'this is neither a receipt nor the proof of an event'],
    ['{"version":"reelbook-receipt-2","signature":{}}', 'this receipt is incomplete'],
  ])('refuses %j', async (text, words) => {
    expect(await verify(text)).toEqual({ state: 'fails', words });
  });

  it('reads no file that is too large to be a receipt', async () => {
    const file = join(folder, 'large.json');
    await writeFile(file, ' '.repeat(5_000_000));
    await verify(JSON.stringify(sampleReceipt()));
    await page.getByLabel('File: a receipt, a proof or My data').setInputFiles(file);
    await page.getByText('This is too long to be a receipt.').waitFor();
    expect(await page.getByLabel('Text of a receipt or a proof').inputValue()).toContain(KEY);
  });

  it('refuses deeply nested JSON with a message', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const receipt = JSON.stringify(sampleReceipt()).replace(
      '"outcome":{',
      `"outcome":{"x":${deep},`,
    );
    expect((await verify(receipt, KEY)).state).toBe('fails');
    expect((await failing()).signature).toBeDefined();
  });

  it('puts only a signature into the command line that it shows', async () => {
    const [event] = sampleReceipt().events;
    const requested = async (signature: unknown) => {
      const inclusion = { ...event?.inclusion, anchor: { signature } };
      expect((await verify(JSON.stringify({ ...event, inclusion }))).state).toBe('fails');
      return page.locator('#requests').textContent();
    };
    const signature = '5'.repeat(88);
    expect(await requested(signature)).toContain(`"${signature}"`);
    expect(await requested(`${signature}'; rm -rf ~ #`)).toBe('');
    expect(await requested([signature])).toBe('');
    expect(await requested(null)).toBe('');
  });

  it('is Chinese in a Chinese browser', async () => {
    const chinese = await browser.newContext({ locale: 'zh-CN' });
    const other = await chinese.newPage();
    await other.goto(page.url());
    await other.getByLabel('凭证或证明的原文').fill(JSON.stringify(sampleReceipt()));
    await other.getByRole('button', { name: '验证' }).click();
    await other.getByText('验证通过：全部 9 项检查相符。').waitFor();
    expect(await other.locator('html').getAttribute('lang')).toBe('zh-CN');
    await expectAccessible(other, 'the verifier in Chinese');
    await picture(other, 'verifier-zh');
    await chinese.close();
  });

  it('refuses an invalid key', async () => {
    const refused = await verify(JSON.stringify(sampleReceipt()), 'abc');
    expect(refused.words).toBe('The public key must be 64 hex digits.');
  });

  it('makes no network request', () => {
    expect(requested.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(faults).toEqual([]);
  });
});
