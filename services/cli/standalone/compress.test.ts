import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { servePages } from '@reelbook/http/pages';
import { openServer } from '@reelbook/http/server';
import { openLog } from '@reelbook/runtime/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressFiles } from './player-app.ts';

const PAGE = `<!doctype html><title>Reelbook</title>${'<p>ledger</p>'.repeat(200)}`;
const SCRIPT = 'console.log("reel");\n'.repeat(200);
const STYLE = 'p { color: black }\n'.repeat(200);
const FONT = Buffer.from('wOF2 and compressed already');
const ANSWER = { token: 'secret'.repeat(200) };
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };
const LASTING = 'public, max-age=31536000, immutable';

let root: string;
let app: ReturnType<typeof openServer>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'reelbook-compress-'));
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), PAGE);
  writeFileSync(join(root, 'assets/app.js'), SCRIPT);
  writeFileSync(join(root, 'assets/app.css'), STYLE);
  writeFileSync(join(root, 'assets/font.woff2'), FONT);
  await compressFiles(root);
  const log = openLog({ name: 'test', level: 'silent' });
  app = openServer({ log, onCompleted: () => undefined });
  app.get('/api/answer', async () => ANSWER);
  const policyOf = (path: string) => `of ${path.slice(root.length)}`;
  await servePages(app, { root, policyOf, routes: [], limit: async () => {} });
});

afterAll(async () => {
  await app?.close();
  rmSync(root, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

const FILES = [
  ['/', PAGE, 'no-cache'],
  ['/wallet', PAGE, 'no-cache'],
  ['/assets/app.js', SCRIPT, LASTING],
  ['/assets/app.css', STYLE, LASTING],
] as const;

test.each(FILES)(
  '%s is sent plain, or compressed to a browser that accepts it',
  async (url, text, cached) => {
    const plain = await get(url);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(text);
    // The policy of the file, not that of responses of the API: a worker is restricted by the policy of its script.
    expect(plain.headers['content-security-policy']).toBe(
      `of /${url.includes('.') ? url.slice(1) : 'index.html'}`,
    );
    const tags = new Set([plain.headers.etag]);
    for (const encoding of ['br', 'gzip'] as const) {
      const sent = await get(url, { 'accept-encoding': encoding });
      expect(sent.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': plain.headers['content-type'],
        'content-length': String(sent.rawPayload.length),
        'cache-control': cached,
        vary: 'Accept-Encoding',
      });
      expect(sent.rawPayload.length).toBeLessThan(text.length / 2);
      expect(DECODE[encoding](sent.rawPayload).toString()).toBe(text);
      expect(sent.headers['content-security-policy']).toBe(
        plain.headers['content-security-policy'],
      );
      const again = await get(url, {
        'accept-encoding': encoding,
        'if-none-match': String(sent.headers.etag),
      });
      expect(again.statusCode).toBe(304);
      tags.add(sent.headers.etag);
    }
    expect(plain.headers).toMatchObject({ 'cache-control': cached, vary: 'Accept-Encoding' });
    expect(tags.size).toBe(3);
  },
);

test('a browser that accepts every encoding gets brotli; compressed formats are sent plain', async () => {
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  expect((await get('/assets/app.js', headers)).headers['content-encoding']).toBe('br');
  const font = await get('/assets/font.woff2', headers);
  expect(font.headers['content-encoding']).toBeUndefined();
  expect(font.rawPayload).toEqual(FONT);
});

test('a response of the API is not compressed', async () => {
  const answer = await get('/api/answer', { 'accept-encoding': 'br' });
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.json()).toEqual(ANSWER);
});

test('the compressed files have no URL', async () => {
  expect((await get('/assets/app.js.br')).statusCode).toBe(404);
});
