import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PAGE = '<!doctype html><title>Reelbook</title>';

let site: TestSite;
let player: TestPlayer;
let webRoot = '';
beforeAll(async () => {
  webRoot = mkdtempSync(join(tmpdir(), 'reelbook-web-'));
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), PAGE);
  writeFileSync(join(webRoot, 'assets/main.js'), 'export {}');
  site = await startSite({ webRoot });
  player = await site.login();
});
afterAll(async () => {
  await site.close();
  rmSync(webRoot, { recursive: true, force: true });
});

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${site.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${player.token}`,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    },
  });

describe('a request', () => {
  test('of ten megabytes is refused in the envelope', async () => {
    const body = JSON.stringify({ bet_amount: 1, padding: 'x'.repeat(10_000_000) });
    const answer = await send('/api/v1/game/slot-machine/bet', { method: 'POST', body });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 413, data: { error: 'body-too-large' } });
  });

  test.each([
    ['{"bet_amount":', 400, 'bad-json'],
    ['', 400, 'bad-input'],
    ['null', 400, 'bad-input'],
    ['[]', 400, 'bad-input'],
    ['"text"', 400, 'bad-input'],
    ['{}', 400, 'bad-input'],
    ['{"bet_amount":1,"\\u0000":1}', 400, 'bad-input'],
  ])('with the body %j is refused in the envelope', async (body, status, error) => {
    const answer = await send('/api/v1/game/slot-machine/bet', { method: 'POST', body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code: status, data: { error } });
  });

  test('without JSON is refused with the expected content type', async () => {
    const answer = await send('/api/v1/game/slot-machine/bet', {
      method: 'POST',
      body: 'bet_amount=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ data: { error: 'unsupported-media-type' } });
  });

  test.each(['/api/v1/nothing', '/api', '/api/v2/user/profile', '/ws/x', '/metrics/x', '/a.txt'])(
    'for the unknown path %s is a 404 in the envelope',
    async (path) => {
      const answer = await send(path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 404, data: { error: 'not-found' } });
    },
  );

  test('with a wrong method gets the allowed ones', async () => {
    const answer = await send('/api/v1/user/profile', { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, PUT');
    expect(await answer.json()).toMatchObject({ code: 405, data: { error: 'method-not-allowed' } });
  });

  test.each([
    '/api/v1/%zz',
    '/api/v1/user/leaderboard/nonsense',
    '/api/v1/user/transactions?page=0',
    '/api/v1/user/transactions?page=-1',
    '/api/v1/user/transactions?page=1.5',
    '/api/v1/user/transactions?page=999999999999',
    '/api/v1/user/transactions?page_size=101',
    '/api/v1/user/transactions?page=1&page=2',
    '/api/v1/user/transactions?page=',
    '/api/v1/user/transactions?pages=1',
    '/api/v1/recent-winnings?limit=0',
    '/api/v1/recent-winnings?limit=1e1',
    `/api/v1/fairness/rounds/${'x'.repeat(65)}`,
    '/api/v1/fairness/rounds/%00',
    '/api/v1/fairness/rounds/%F0%9F%8E%B0',
  ])('to %s is refused with a message', async (path) => {
    const answer = await send(path);
    expect(answer.status).toBe(400);
    const { message, data } = (await answer.json()) as { message: string; data: object };
    expect(data).toMatchObject({ error: 'bad-input' });
    expect(message.length).toBeGreaterThan(10);
  });

  test('for a round id that contains SQL finds nothing', async () => {
    const answer = await send("/api/v1/fairness/rounds/'or'1'='1");
    expect(answer.status).toBe(404);
  });

  test('of malformed HTTP does not stop the server', async () => {
    const { port } = new URL(site.url);
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'));
      socket.on('data', (data) => {
        received += data;
      });
      socket.on('close', () => resolve(received));
    });
    expect(text).toContain('400 Bad Request');
    expect((await send('/health')).status).toBe(200);
  });
});

describe('a nickname', () => {
  const rename = (nickname: unknown) =>
    player.call<{ nickname: string }>('/user/profile', { method: 'PUT', body: { nickname } });

  test.each([
    ['a'.repeat(20)],
    ['🎰'.repeat(20)],
    ['<b>bold</b>'],
    ["'); drop table --"],
    ['幸运星'],
  ])('may be %j, and is stored unchanged', async (nickname) => {
    expect(await rename(nickname)).toMatchObject({ status: 200, data: { nickname } });
    expect((await player.call('/user/profile')).data).toMatchObject({ nickname });
  });

  test.each([
    ['a'.repeat(21), 'nickname-too-long'],
    ['🎰'.repeat(21), 'nickname-too-long'],
    ['', 'nickname-empty'],
    ['   ', 'nickname-empty'],
    ['a\u0000b', 'nickname-not-plain'],
    ['a\nb', 'nickname-not-plain'],
    ['\ud800', 'nickname-not-plain'],
    ['a\u202eb', 'nickname-not-plain'],
    ['a\u200bb', 'nickname-not-plain'],
    [null, 'bad-input'],
    [7, 'bad-input'],
    ['x'.repeat(500), 'bad-input'],
  ])('may not be %j', async (nickname, error) => {
    const before = await player.call('/user/profile');
    expect(await rename(nickname)).toMatchObject({ status: 400, data: { error } });
    expect(await player.call('/user/profile')).toEqual(before);
  });

  test('that is unchanged writes nothing', async () => {
    await rename('same');
    const before = await player.call('/user/balance');
    const answer = await rename('same');
    expect(answer.status).toBe(200);
    expect(answer.position).toBe((before.data as { position: number }).position);
    expect(await player.call('/user/balance')).toEqual(before);
  });
});

describe('the player app', () => {
  test.each(['/', '/games', '/slot-machine', '/fairness/rounds'])('answers at %s', async (path) => {
    const answer = await send(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(PAGE);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  test('has immutable assets, and 404 for a missing one', async () => {
    const asset = await send('/assets/main.js');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await send('/assets/old.js')).status).toBe(404);
  });
});

describe('the gateway', () => {
  test('exposes health and readiness, but no metrics', async () => {
    expect(await (await send('/health')).json()).toMatchObject({ status: 'ok' });
    expect(await (await send('/ready')).json()).toMatchObject({ checks: { ledger: null } });
    expect((await send('/metrics')).status).toBe(404);
  });

  test('logged no internal error for bad input', () => {
    const faults = site.logged.filter((line) => JSON.parse(line).level >= 50);
    expect(faults).toEqual([]);
  });
});
