import { reject } from '@reelbook/ledger/rejections';
import { openLog } from '@reelbook/runtime/log';
import { sendBytes } from '@reelbook/testing/raw-http';
import { Type } from 'typebox';
import { afterEach, expect, test, vi } from 'vitest';
import { webSocketUpgrades } from './failures.ts';
import { clientAddress, openLimit } from './limits.ts';
import { servePages } from './pages.ts';
import { Refused } from './routes.ts';
import { openServer, REFUSALS_PER_CODE_MAX } from './server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

/** One call a minute by address. @returns the status of a call over the proxy 10.0.0.1 for a client. */
async function openOnce(trustProxy: readonly string[] | null) {
  const log = openLog({ name: 'test', level: 'silent' });
  const app = openServer({ log, trustProxy, onCompleted() {} });
  closers.push(() => app.close());
  const once = openLimit({ max: 1 });
  app.get(
    '/',
    { onRequest: async (request) => once.take(clientAddress(request)) },
    async () => ({}),
  );
  return async (client: string) => {
    const headers = { 'x-forwarded-for': client };
    return (await app.inject({ url: '/', remoteAddress: '10.0.0.1', headers })).statusCode;
  };
}

test('over a trusted proxy each client has its own limit', async () => {
  const call = await openOnce(['uniquelocal']);
  expect([await call('192.0.2.1'), await call('192.0.2.2')]).toEqual([200, 200]);
  expect(await call('192.0.2.1')).toBe(429);
  // What the client itself claims comes first in the header and is not believed.
  expect(await call('203.0.113.9, 192.0.2.2')).toBe(429);
});

test('no header is believed of others: a client does not escape its limit by inventing addresses', async () => {
  for (const trusted of [null, ['192.168.0.0/16']]) {
    const call = await openOnce(trusted);
    expect([await call('192.0.2.1'), await call('192.0.2.2')]).toEqual([200, 429]);
  }
});

test('a response that is not a file has the headers that keep a browser from rendering or embedding it', async () => {
  const log = openLog({ name: 'test', level: 'silent' });
  const app = openServer({ log, onCompleted() {} });
  closers.push(() => app.close());
  app.get('/', async () => ({}));
  for (const url of ['/', '/unknown', '/%zz']) {
    expect((await app.inject(url)).headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox$/,
      ),
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  }
});

test('a preflight and TRACE are refused, so that no other origin may send a token', async () => {
  const log = openLog({ name: 'test', level: 'silent' });
  const app = openServer({ log, onCompleted() {} });
  closers.push(() => app.close());
  app.get('/call', async () => ({}));
  const routes = [{ method: 'GET', path: '/call' }];
  await servePages(app, { root: null, policyOf: () => '', routes, limit: async () => {} });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  for (const method of ['OPTIONS', 'TRACE']) {
    const head = `${method} /call HTTP/1.1\r\nHost: x\r\nOrigin: https://example.org\r\nX-Own: mirrored\r\n`;
    const received = await sendBytes(url, `${head}Connection: close\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 405 /);
    expect(received.toLowerCase()).not.toMatch(/access-control|mirrored/);
  }
});

test('an unexpected error is logged, and the response does not contain its text', async () => {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  const log = openLog({ name: 'test', level: 'info', sink });
  const app = openServer({ log, onCompleted() {} });
  closers.push(() => app.close());
  app.get('/', () => {
    throw new Error('relation "players" does not exist');
  });
  const answer = await app.inject('/');
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ code: 500, data: { error: 'internal' } });
  expect(answer.body).not.toContain('players');
  expect(lines.join()).toContain('players');
});

/** A server that refuses every call with the given cause. @returns its log lines and a function that calls it. */
async function openRefusing(cause: Refused['cause']) {
  const lines: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const app = openServer({
    log: openLog({ name: 'test', level: 'info', sink }),
    onCompleted() {},
  });
  closers.push(() => app.close());
  app.get('/call/:id', () => {
    throw new Refused(cause);
  });
  const call = () => app.inject({ url: '/call/7?token=secret', remoteAddress: '192.0.2.1' });
  return { lines, call, app };
}

test('a refused session is logged with address and route, and without its URL', async () => {
  const { lines, call } = await openRefusing({ failed: 'session-dead' });
  await call();
  expect(lines).toMatchObject([
    {
      msg: 'refused',
      address: '192.0.2.1',
      route: '/call/:id',
      error: 'session-dead',
      status: 401,
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a refusal by a rule of the ledger is not logged', async () => {
  const { lines, call } = await openRefusing(reject('bet-below-minimum', { minStakeMinor: 100n }));
  expect((await call()).statusCode).toBe(400);
  expect(lines).toEqual([]);
});

test('logged refusals are limited per code and minute, and the omitted ones are counted', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  closers.push(async () => vi.useRealTimers());
  const { lines, call, app } = await openRefusing({ failed: 'session-dead' });
  for (let i = 0; i < REFUSALS_PER_CODE_MAX + 7; i++) await call();
  expect(lines).toHaveLength(REFUSALS_PER_CODE_MAX);
  // A flood of one code does not hide another.
  await app.inject('/%zz');
  expect(lines.at(-1)).toMatchObject({ msg: 'refused', status: 400 });
  vi.advanceTimersByTime(60_001);
  await call();
  expect(lines.slice(REFUSALS_PER_CODE_MAX + 1)).toMatchObject([
    { error: 'session-dead', omitted: 7 },
    { msg: 'refused' },
  ]);
});

test('the addresses of one IPv6 network share a limit; IPv4 addresses do not', async () => {
  const call = await openOnce(['uniquelocal']);
  const network = ['2001:db8:0:1::1', '2001:db8::1:ffff:0:0:2', '2001:0db8:0000:0001:9::'];
  expect([await call('2001:db8::1'), await call('2001:db8:1::1')]).toEqual([200, 200]);
  const statuses = [];
  for (const address of network) statuses.push(await call(address));
  expect(statuses).toEqual([200, 429, 429]);
  expect([await call('192.0.2.1'), await call('::ffff:192.0.2.1')]).toEqual([200, 429]);
  expect(await call('::ffff:192.0.2.2')).toBe(200);
  expect([await call('192.0.2.3:5678'), await call('192.0.2.3:5679')]).toEqual([200, 429]);
  expect([await call('[2001:db8:2::1]:80'), await call('2001:db8:2::2')]).toEqual([200, 429]);
});

test('an upgrade to another protocol than WebSocket is ignored, with and without a body', async () => {
  const log = openLog({ name: 'test', level: 'silent' });
  const app = openServer({ log, onCompleted() {} });
  closers.push(() => app.close());
  webSocketUpgrades(app.server).on('upgrade', (_request, socket) => socket.end('a WebSocket'));
  app.all('/call', async (request) => ({ got: request.body ?? null, query: request.query }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const send = (head: string, upgrade: string, body = '') =>
    sendBytes(
      url,
      `${head} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n` +
        `Upgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n${body}`,
    );
  const json = 'Content-Type: application/json\r\n';
  const plain = `${json}Content-Length: 9\r\n\r\n{"a":"b"}`;
  const chunked = `${json}Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n5\r\n:"b"}\r\n0\r\n\r\n`;
  for (const upgrade of ['h2c', 'H2C', 'TLS/1.0', 'h2c, websocket', 'websockets', 'x']) {
    expect(await send('GET /call?a=1', upgrade, '\r\n')).toMatch(
      / 200 OK[\s\S]*"query":\{"a":"1"\}/,
    );
    expect(await send('POST /call', upgrade, plain)).toMatch(/ 200 OK[\s\S]*"got":\{"a":"b"\}/);
    expect(await send('POST /call', upgrade, chunked)).toMatch(/ 200 OK[\s\S]*"got":\{"a":"b"\}/);
    expect(await send('GET /unknown', upgrade, '\r\n')).toMatch(/^HTTP\/1\.1 404 /);
  }
  for (const upgrade of ['websocket', 'WebSocket']) {
    expect(await send('GET /call', upgrade, '\r\n')).toBe('a WebSocket');
  }
  // On a connection whose earlier request is not answered yet.
  const first = `POST /call HTTP/1.1\r\nHost: x\r\n${plain}`;
  const both = await send(`${first}POST /call`, 'h2c', plain.replace('b', 'c'));
  expect(both.match(/ 200 OK/g)).toHaveLength(2);
  expect(both).toMatch(/"got":\{"a":"b"\}[\s\S]*"got":\{"a":"c"\}/);
});

test('a query is read as a number only if the number prints the same text', async () => {
  const log = openLog({ name: 'test', level: 'silent' });
  const app = openServer({ log, onCompleted() {} });
  closers.push(() => app.close());
  const querystring = Type.Object({ q: Type.Unsafe({ type: ['string', 'integer'] }) });
  app.get('/find', { schema: { querystring } }, async ({ query }) => query);
  const read = async (text: string) => (await app.inject(`/find?q=${text}`)).json().q;
  for (const [sent, text] of [
    '007',
    '00123456',
    '0042',
    '-0',
    '-01',
    '1e3',
    '0x10',
    '1.0',
    '',
    '9007199254740993',
    '%205',
    '5%20',
    '%2B5',
    '0b1',
    'Infinity',
    'NaN',
    '1_000',
  ].map((q) => [q, decodeURIComponent(q)] as const)) {
    expect(await read(sent)).toBe(text);
  }
  expect(await read('+5')).toBe(' 5');
  for (const number of [0, 7, -7, 42, 123_456_789_012_345]) {
    expect(await read(`${number}`)).toBe(number);
  }
});
