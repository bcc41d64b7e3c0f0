import { envelopeOf } from '@reelbook/contract/common';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import { API_BASE, type Route } from '@reelbook/contract/route';
import { serverMessages } from '@reelbook/contract/socket';
import { type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { openSocket, type TestSite } from '@reelbook/simulator/stages/site';
import {
  bodyText,
  oddValue,
  queryOf,
  segmentOf,
  valueAgainst,
  valueFor,
} from '@reelbook/testing/fuzz';
import { openRawClient, type RawAnswer, type RawRequest } from '@reelbook/testing/raw-http';
import { observeTreasury } from '@reelbook/testing/treasury';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

const REQUESTS = 2_000;
/** Generous, because the number of requests is fixed, not the time. */
const TIMEOUT_MS = 600_000;
const SOCKETS = 60;
const MESSAGES_A_SOCKET_MAX = 40;
const WARM_UP = 500;
const SAMPLE_EVERY = 100;
/** More than uncollected garbage, less than a leak per request would use. */
const GROWTH_MAX_BYTES = 96 * 1024 * 1024;

let paying: PayingSite;
let site: TestSite;
let token = '';
beforeAll(async () => {
  paying = await startPayingSite();
  ({ site } = paying);
  await observeTreasury(site.pool, 10n ** 15n);
  ({ token } = await site.login());
});
afterAll(() => paying.close());

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/html',
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/jsonx',
  ';',
  '*/*',
  'image/png',
];
const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'idempotency-key': 'k' },
  { 'idempotency-key': 'x'.repeat(200) },
  { 'idempotency-key': 'two words' },
  { 'idempotency-key': '\u00e9' },
  { 'x-forwarded-for': `${'1.2.3.4, '.repeat(100)}` },
  { 'x-request-id': 'x'.repeat(4_000), 'accept-encoding': 'br;q=1, *;q=0', accept: 'image/png' },
  { expect: '200-ok' },
  { 'accept-version': '9', range: 'bytes=0-', 'if-match': '*', 'x-http-method-override': 'DELETE' },
  { cookie: 'a=b; '.repeat(500) },
  { origin: 'null', 'access-control-request-method': 'PUT' },
];
const PATHS = [
  '/',
  '/api',
  '/api/',
  API_BASE,
  '/health',
  '/ready',
  '/metrics',
  '/ws',
  '/ws?token=',
  '//',
  '/api/docs',
  '/api/docs/json',
  '/api/docs/%2e%2e',
  '/api/v1//user/profile',
  '/API/V1/user',
  '/health/',
  '/..',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/.env',
  '/ws/../api/v1',
  '*',
];
/** Documents and pages, not API responses. */
const isPlain = (path: string) => /^\/(health|ready|metrics|api\/docs)/.test(path);

type Fuzzed = RawRequest & { readonly name: RouteName | null };

const authorization = fc.oneof(
  { weight: 6, arbitrary: fc.constant(() => `Bearer ${token}`) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('', 'Bearer', 'Bearer x', `Bearer ${'x'.repeat(43)}`, 'Basic eDp5', '\u00ff')
      .map((text) => () => text),
  },
);
const headers = fc
  .tuple(
    authorization,
    fc.constantFrom(...CONTENT_TYPES, ...Array(8).fill(CONTENT_TYPES[0])),
    fc.option(fc.constantFrom(...ODD_HEADERS)),
  )
  .map(([bearer, type, odd]) => ({
    authorization: bearer(),
    ...(type === '' ? {} : { 'content-type': type }),
    ...odd,
  }));

/** A request to a route, except those that end the session of the test. */
function requestTo(name: RouteName): fc.Arbitrary<Fuzzed> {
  const route: Route = routes[name];
  const params = (route.params as { properties?: Record<string, TSchema> })?.properties ?? {};
  const parts = route.path
    .split('/')
    .map((part) => (part.startsWith(':') ? segmentOf(params[part.slice(1)]) : fc.constant(part)));
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string>(route.method) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  const body = fc.oneof(
    { weight: route.method === 'GET' ? 1 : 12, arbitrary: bodyText(route.body) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  return fc
    .tuple(method, fc.tuple(...parts), queryOf(route.query), headers, body)
    .map(([verb, path, query, sent, text]) => ({
      name,
      method: verb,
      path: API_BASE + path.join('/') + query,
      headers: name === 'logout' ? { ...sent, authorization: 'Bearer x' } : sent,
      body: verb === 'HEAD' || verb === 'TRACE' ? null : text,
    }));
}

const oddRequest: fc.Arbitrary<Fuzzed> = fc
  .tuple(fc.constantFrom(...METHODS), fc.constantFrom(...PATHS), headers, bodyText(undefined))
  .map(([method, path, sent, text]) => ({
    name: null,
    method,
    path,
    headers: sent,
    body: method === 'HEAD' || method === 'TRACE' ? null : text,
  }));

const anyRequest = fc.oneof(
  { weight: 1, arbitrary: oddRequest },
  {
    weight: 12,
    arbitrary: fc.constantFrom(...(Object.keys(routes) as RouteName[])).chain(requestTo),
  },
);

const isFile = (name: RouteName) => (routes[name] as Route).file !== undefined;

const compiled = new Map(
  (Object.keys(routes) as RouteName[]).map((name) => [
    name,
    Compile(envelopeOf(routes[name].data)),
  ]),
);

/** Checks that apply to every response. */
function checkAnswer(request: Fuzzed, { status, text }: RawAnswer): void {
  expect(status).toBeLessThan(500);
  expect(status).toBeGreaterThanOrEqual(200);
  if (request.method === 'HEAD' || isPlain(request.path)) return;
  if (status === 200 && request.name && isFile(request.name)) return;
  const envelope = JSON.parse(text) as { code: number; message: string };
  expect(envelope).toMatchObject({ code: status, message: expect.stringMatching(/./) });
  if (status === 200 && request.name) {
    const faults = compiled.get(request.name)?.Errors(envelope) ?? [];
    expect([...faults]).toEqual([]);
  }
}

const heapBytes = () => process.memoryUsage().heapUsed;

/** Whether memory returned to its level: compares the minimum of the first and of the last samples. */
function expectNoGrowth(samples: readonly number[]): void {
  const half = Math.floor(samples.length / 2);
  const [early, late] = [samples.slice(0, half), samples.slice(half)];
  expect(early.length).toBeGreaterThan(0);
  expect(Math.min(...late) - Math.min(...early)).toBeLessThan(GROWTH_MAX_BYTES);
}

describe('the API', { timeout: TIMEOUT_MS }, () => {
  test('every route responds in the envelope to every request, without an internal error', async () => {
    const client = openRawClient(site.url);
    const seen = new Map<number, number>();
    const samples: number[] = [];
    let count = 0;
    const answered = async (request: Fuzzed) => {
      const answer = await client.send(request);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      checkAnswer(request, answer);
      if (++count > WARM_UP && count % SAMPLE_EVERY === 0) samples.push(heapBytes());
    };
    await fc.assert(fc.asyncProperty(anyRequest, answered), {
      numRuns: REQUESTS,
      endOnFailure: true,
    });
    client.close();
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 415]));
    if (samples.length > 1) expectNoGrowth(samples);
  });

  test('every socket survives every message, and responds with valid messages', async () => {
    // The refresh requests have ended their session, or will soon.
    ({ token } = await site.login());
    const words = new Map(
      Object.entries(serverMessages).map(([type, schema]) => [type, Compile(schema as TSchema)]),
    );
    const subscribe = {
      type: 'object',
      required: ['channel'],
      properties: {
        channel: { enum: ['user_events'] },
        stream_version: { type: 'integer' },
      },
    };
    const data = fc.oneof(valueFor(subscribe), valueAgainst(subscribe));
    const type = fc.oneof(fc.constantFrom('ping', 'subscribe'), oddValue);
    const frame = fc.oneof(
      fc.record({ type, data }, { requiredKeys: [] }).map((one) => JSON.stringify(one)),
      bodyText(undefined),
    );
    const frames = fc.array(frame, { maxLength: MESSAGES_A_SOCKET_MAX });
    const entry = fc.oneof(
      { weight: 8, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: queryOf(undefined) },
    );
    const played = async ([query, sent]: [string | null, (string | Buffer)[]]) => {
      const url = `${site.url.replace('http', 'ws')}/ws${query ?? `?token=${token}`}`;
      for (const message of await talk(url, sent)) {
        const { type } = message as { type: string };
        expect([...(words.get(type)?.Errors(message) ?? [type])]).toEqual([]);
      }
    };
    await fc.assert(fc.asyncProperty(fc.tuple(entry, frames), played), {
      numRuns: SOCKETS,
      endOnFailure: true,
    });
    const socket = await openSocket(site.url, token);
    expect(await socket.receive('subscribed')).toMatchObject({ channel: 'user_events' });
    socket.close();
  });

  test('nothing was logged as an internal error', () => {
    const faults = site.logged.filter((logged) => JSON.parse(logged).level >= 50);
    expect(faults).toEqual([]);
  });
});

/** Sends frames on a new socket, then a ping. @returns all messages until the pong or the close. */
function talk(url: string, frames: readonly (string | Buffer)[]): Promise<unknown[]> {
  return new Promise((resolve) => {
    const received: { type: string }[] = [];
    const socket = new WebSocket(url);
    let pings = 0;
    socket.on('open', () => {
      for (const frame of frames) socket.send(frame);
      socket.send('{"type":"ping"}');
    });
    socket.on('message', (bytes) => {
      const message = JSON.parse(String(bytes)) as { type: string };
      received.push(message);
      if (message.type !== 'pong') return;
      const own = frames.filter((frame) => isPing(frame)).length;
      if (++pings > own) setTimeout(() => socket.close(), 20);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received.filter(({ type }) => type !== 'pong')));
  });
}

function isPing(frame: string | Buffer): boolean {
  try {
    return JSON.parse(String(frame))?.type === 'ping';
  } catch {
    return false;
  }
}
