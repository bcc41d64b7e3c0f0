import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createAdminClient } from './admin/client.ts';
import { ApiError, sawPosition } from './client.ts';
import { createClient } from './player/client.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server | null = null;
afterEach(() => server?.close());

/** A server with one fixed response that records its requests. */
async function serve(
  status: number,
  body: string,
  own: Readonly<Record<string, string>> = {},
): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: text });
    response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const BET = { body: { bet_amount: 5 }, idempotencyKey: 'k1' };

const errorOf = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.fail('the call should be rejected'),
    (error: ApiError) => error,
  );

describe('the client', () => {
  test('opens the envelope and sends token, key and body', async () => {
    const { origin, seen } = await serve(
      200,
      '{"code":200,"message":"success","data":{"row":"x"}}',
    );
    const client = createClient({ origin, token: () => 'secret', unchecked: ['slotBet'] });
    const data = await client.call('slotBet', BET);
    expect(data).toEqual({ row: 'x' });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/game/slot-machine/bet',
      body: '{"bet_amount":5}',
      headers: { authorization: 'Bearer secret', 'idempotency-key': 'k1' },
    });
  });

  test('keeps the token from public calls, and fills path and query', async () => {
    const { origin, seen } = await serve(200, '{"code":200,"message":"success","data":[]}');
    const client = createClient({ origin, token: () => 'secret' });
    await client.call('leaderboard', { params: { board: 'wins' } });
    await client.call('recentWinnings', { query: { limit: 3 } });
    await client.call('achievements');
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/user/leaderboard/wins',
      '/api/v1/recent-winnings?limit=3',
      '/api/v1/user/achievements',
    ]);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      'Bearer secret',
    ]);
  });

  test('sends the highest position that it has seen, in responses or on the live channel', async () => {
    const body = '{"code":200,"message":"success","data":[]}';
    const { origin, seen } = await serve(200, body, { 'x-ledger-position': '7000000' });
    const client = createClient({ origin, token: () => 'secret' });
    for (const position of [undefined, null, 'x', 6_999_999, 7_000_009]) {
      await client.call('achievements');
      sawPosition(position);
    }
    await client.call('achievements');
    const sent = seen.map(({ headers }) => headers['x-ledger-position']);
    const [first, last] = ['7000000', '7000009'];
    expect(sent.slice(1)).toEqual([first, first, first, first, last]);
  });

  test('drops the response to another player’s call after a sign-out', async () => {
    const { origin } = await serve(200, '{"code":200,"message":"success","data":{"token":"t"}}');
    let owner: string | null = 'ann';
    let token = 'first';
    const client = createClient({
      origin,
      token: () => token,
      owner: () => owner,
      unchecked: ['refresh', 'leaderboard'],
    });
    const refreshed = client.call('refresh');
    const board = client.call('leaderboard', { params: { board: 'wins' } });
    owner = 'bob';
    expect(await errorOf(refreshed)).toMatchObject({ code: 0 });
    expect(await board).toEqual({ token: 't' });

    const renewed = client.call('refresh');
    token = 'second';
    expect(await renewed).toEqual({ token: 't' });
    const left = client.call('refresh');
    owner = null;
    expect(await errorOf(left)).toMatchObject({ code: 0 });
  });

  test('sends nothing for a user whom the page does not show', async () => {
    const { origin, seen } = await serve(200, '{"code":200,"message":"success","data":{}}');
    let owner = 'ann';
    const token = () => {
      owner = 'bob';
      return 'of bob';
    };
    const client = createClient({ origin, token, owner: () => owner, unchecked: ['slotBet'] });
    expect(await errorOf(client.call('slotBet', BET))).toMatchObject({ code: 401 });
    expect(seen).toEqual([]);
    await client.call('slotBet', BET);
    expect(seen).toHaveLength(1);
  });

  test.each([401, 403, 404, 429])('a %s without envelope is no refusal', async (status) => {
    const { origin } = await serve(status, '<h1>a proxy</h1>');
    const ended = () => expect.fail('the session goes on');
    const client = createClient({ origin, token: () => 's', onSessionDead: ended });
    expect(await errorOf(client.call('slotBet', BET))).toMatchObject({
      code: 0,
      message: STATUS_CODES[status],
    });
  });

  test('rejects an answer that does not have the shape of its schema', async () => {
    const { origin } = await serve(200, '{"code":200,"message":"success","data":{"row":"x"}}');
    const error = await errorOf(createClient({ origin, token: () => 's' }).call('slotBet', BET));
    expect(error).toMatchObject({ code: 200, message: 'API Error', data: null });
    // Answers to operators have no schema, and are lists or objects.
    const other = await serve(200, '{"code":200,"message":"success","data":"x"}');
    const console = createAdminClient({ origin: other.origin, token: () => 's' });
    expect(await errorOf(console.call('jobs'))).toMatchObject({ code: 200, data: null });
  });

  test('rejects with the message and data of the server', async () => {
    const { origin } = await serve(400, '{"code":400,"message":"no","data":{"error":"bad-input"}}');
    const error = await errorOf(createClient({ origin, token: () => null }).call('gameConfigs'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 400, message: 'no', data: { error: 'bad-input' } });
  });

  test('without a message of the server, rejects with that of the transport', async () => {
    for (const [status, body, message] of [
      [503, '{"code":503,"message":"busy","data":null}', 'busy'],
      [503, '{"code":503,"message":"","data":null}', 'Service Unavailable'],
      [503, '{"code":503,"data":null}', 'Service Unavailable'],
      [200, '{"code":7,"data":null}', 'API Error'],
    ] as const) {
      const { origin } = await serve(status, body);
      const error = await errorOf(createClient({ origin, token: () => null }).call('gameConfigs'));
      expect(error).toMatchObject({ code: status, message });
      server?.close();
    }
  });

  test('reports a dead session once, only for the current token', async () => {
    const { origin } = await serve(401, '{"code":401,"message":"ended","data":null}');
    let token = 'old';
    let dead = 0;
    const client = createClient({ origin, token: () => token, onSessionDead: () => dead++ });
    expect((await errorOf(client.call('profile'))).code).toBe(401);
    expect(dead).toBe(1);
    const late = errorOf(client.call('profile'));
    token = 'new';
    await late;
    expect(dead).toBe(1);
  });

  test('rejects a response without envelope, and an unreachable server', async () => {
    const { origin } = await serve(502, '<html>bad gateway</html>');
    const client = createClient({ origin, token: () => null });
    expect(await errorOf(client.call('gameConfigs'))).toMatchObject({
      code: 502,
      message: 'Bad Gateway',
    });
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect(await errorOf(client.call('gameConfigs'))).toMatchObject({
      code: 0,
      message: 'No connection',
    });
  });
});
