import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import type { Route } from '@reelbook/contract/route';
import { confirmationMessage } from '@reelbook/ledger/player/confirmation';
import { OPEN_WITHDRAWALS_MAX } from '@reelbook/ledger/player/withdrawals';
import { REPORTS_PENDING_MAX } from '@reelbook/payments/reports';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { sendBytes } from '@reelbook/testing/raw-http';
import { sellPoints } from '@reelbook/testing/treasury';
import { createWallet, TEST_ORIGIN } from '@reelbook/testing/wallets';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CALL_WORK, CALLS_PER_PLAYER } from './limits.ts';

const BSM = 1_000_000_000n;
const WITHDRAW = '/transaction/withdraw';
const REPORT = '/transaction/deposit';
const SYSTEM_PROGRAM = '1'.repeat(32);
/** Few, so that each budget is soon used up: 8 acts of a day, 64 of eight days. */
const FREE_ACTS_PER_DAY = 8;
const READS_PER_MINUTE = 30;

/** A proxy that counts the calls of the chain: the RPC of a gateway with real money. */
async function countCalls(target: string) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const sent = JSON.parse(body.toString()) as object | readonly object[];
    calls += Array.isArray(sent) ? sent.length : 1;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The calls that an act makes. */
    async of(act: () => Promise<unknown>): Promise<number> {
      const before = calls;
      await act();
      return calls - before;
    },
    close: () => server.close(),
  };
}

let chain: TestChain;
let calls: Awaited<ReturnType<typeof countCalls>>;
let site: TestSite;
beforeAll(async () => {
  chain = await startTestChain();
  calls = await countCalls(chain.local.url);
  const local = { rpcUrl: chain.local.url, faucet: async () => ({ waitS: 9, minutes: 1 }) };
  site = await startSite({
    chain: { chain: chain.open([calls.url]), network: 'local', publicRpcUrl: null, local },
    freeActsPerDay: FREE_ACTS_PER_DAY,
    chainReadsPerMinute: READS_PER_MINUTE,
  });
  // The terms of the mint are read once.
  await (await site.login()).call('/user/wallet-balance');
});
afterAll(async () => {
  await site.close();
  calls.close();
  await chain.close();
});

/** One attempt: the client of the tests tries again after a 429. */
async function send(path: string, token: string, body?: unknown, method = 'POST', url = site.url) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: { error?: string; retry_at?: string } };
  const retryAfterS = Number(response.headers.get('retry-after'));
  return { status: response.status, error: data?.error, retryAt: data?.retry_at, retryAfterS };
}

const exchange = { from_type: 'points', to_type: 'token', amount: 1 };
/** A player with so much BSM, at most 10. */
async function rich(amount: number): Promise<TestPlayer> {
  const player = await site.login();
  await sellPoints(site, player, amount * 100);
  return player;
}
const anySignature = () => bs58.encode(randomBytes(64));
const expiry = { blockhash: SYSTEM_PROGRAM, last_valid_block_height: 0 };
const withdrawal = (amount: number, to = createWallet().address) => ({ amount, to_address: to });

describe('what is refused reads nothing of the chain', () => {
  const refusals = async (player: TestPlayer, path: string, bodies: readonly object[]) => {
    const errors: (string | undefined)[] = [];
    const made = await calls.of(async () => {
      for (const body of bodies) errors.push((await send(path, player.token, body)).error);
    });
    expect(made).toBe(0);
    return errors;
  };

  test('a withdrawal that the state or the signature refuses', async () => {
    const [poor, player] = [await site.login(), await rich(10)];
    const other = createWallet().address;
    const confirmed = (message: string, signer = player.wallet) => ({
      ...withdrawal(2, other),
      confirmation: { message, signature: signer.sign(message) },
    });
    const message = (atMs: number, amountMinor = 2n * BSM) =>
      confirmationMessage({ origin: TEST_ORIGIN, amountMinor, to: other, atMs });
    const now = Date.now();
    expect(await refusals(poor, WITHDRAW, [withdrawal(5)])).toEqual([
      'withdrawal-insufficient-token',
    ]);
    expect(
      await refusals(player, WITHDRAW, [
        withdrawal(11),
        withdrawal(0.5),
        withdrawal(-1),
        withdrawal(1, 'no address'),
        confirmed(message(now, 3n * BSM)),
        confirmed('a text'),
        confirmed(message(now - 3_600_000)),
        confirmed(message(now + 3_600_000)),
        confirmed(message(now), createWallet()),
      ]),
    ).toEqual([
      'withdrawal-insufficient-token',
      'withdrawal-below-minimum',
      'withdrawal-amount-invalid',
      'withdrawal-address-invalid',
      'withdrawal-confirmation-invalid',
      'withdrawal-confirmation-invalid',
      'withdrawal-confirmation-too-old',
      'withdrawal-confirmation-in-future',
      'withdrawal-confirmation-invalid',
    ]);
    // The limit of open ones, and a retry of a first that the state would refuse now.
    const body = withdrawal(1, player.wallet.address);
    const to = player.wallet.address;
    for (let n = 0; n < OPEN_WITHDRAWALS_MAX; n++)
      await player.call(WITHDRAW, { body, key: `${n}` });
    expect(await refusals(player, WITHDRAW, [withdrawal(1, to)])).toEqual([
      'withdrawal-insufficient-token',
    ]);
    const again = await calls.of(async () => {
      expect(await player.call(WITHDRAW, { body, key: '0' })).toMatchObject({ status: 200 });
    });
    expect(again).toBe(0);
  });

  test('a deposit report that is malformed, stored already or one too many', async () => {
    const player = await site.login();
    const report = (tx_hash: string, amount = 1) => ({ tx_hash, amount });
    expect(await refusals(player, REPORT, [report('x'), report(anySignature(), 0.1), {}])).toEqual([
      'deposit-hash-invalid',
      'deposit-below-minimum',
      'bad-input',
    ]);
    const hashes = Array.from({ length: REPORTS_PENDING_MAX }, anySignature);
    for (const hash of hashes) {
      expect((await send(REPORT, player.token, report(hash))).status).toBe(200);
    }
    expect(
      await refusals(
        player,
        REPORT,
        hashes.slice(0, 5).map((hash) => report(hash)),
      ),
    ).toEqual(Array(5).fill(undefined));
    const full = [report(anySignature())];
    expect(await refusals(player, REPORT, full)).toEqual(['deposits-too-many']);
    // But one that can no longer land, so that its page does not wait for it.
    const late = { ...report(anySignature()), expiry };
    expect((await send(REPORT, player.token, late)).error).toBe('deposit-not-ours');
    const excluded = await site.login();
    await excluded.call('/user/protection/exclusion', { body: { term: '24h' } });
    expect(await refusals(excluded, REPORT, full)).toEqual(['self-excluded']);
  });
});

test('no call of a player makes more reads of the chain in a minute than the limit', async () => {
  const floods: readonly ((player: TestPlayer, n: number) => Promise<{ status: number }>)[] = [
    (player) =>
      send(
        `/user/wallet-balance?wallet_address=${createWallet().address}`,
        player.token,
        undefined,
        'GET',
      ),
    (player) => send(REPORT, player.token, { tx_hash: anySignature(), amount: 1 }),
    // Three RPC calls of each node.
    (player) => send(REPORT, player.token, { tx_hash: anySignature(), amount: 1, expiry }),
    (player) => send(WITHDRAW, player.token, withdrawal(1, SYSTEM_PROGRAM)),
    (player) => send(WITHDRAW, player.token, withdrawal(1)),
  ];
  for (const flood of floods) {
    const player = await rich(10);
    const statuses = new Set<number>();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const made = await calls.of(async () => {
      for (let n = 0; n < 2 * READS_PER_MINUTE; n++) statuses.add((await flood(player, n)).status);
    });
    vi.restoreAllMocks();
    expect(made).toBeLessThanOrEqual(READS_PER_MINUTE);
    expect(made).toBeGreaterThan(0);
    expect([...statuses].every((status) => status < 500)).toBe(true);
    // Of another player nothing is used up.
    expect(await calls.of(async () => (await rich(1)).call('/user/wallet-balance'))).toBe(1);
  }
});

/** Acts of a call that are no money, each other than the one before. Null: it appends nothing, or a stake pays for it. */
const ACTS: Readonly<
  Partial<Record<RouteName, null | ((player: TestPlayer, n: number) => ReturnType<typeof send>)>>
> = {
  changeProfile: ({ token }, n) => send('/user/profile', token, { nickname: `fox ${n}` }, 'PUT'),
  rotateSeeds: ({ token }, n) => send('/fairness/rotate', token, { client_seed: `seed${n}` }),
  discardCommand: ({ token }, n) => send(`/user/commands/key-${n}/discard`, token),
  exchange: ({ token }) => send('/transaction/exchange', token, exchange),
  setLimit: ({ token }, n) =>
    send(
      '/user/protection/limits',
      token,
      { limit: 'wager', period: 'day', amount: 9_999 - n },
      'PUT',
    ),
  setRealityCheck: ({ token }, n) =>
    send('/user/protection/reality-check', token, { interval_minutes: 5 + (n % 2) }, 'PUT'),
  // One at a time is allowed; the ledger's tests exhaust the budget.
  withdraw: null,
  login: ({ wallet }) => send('/auth/login', '', wallet.checkedLogin(Date.now())),
  // A minute must pass between two that are no longer by a day; the ledger's tests exhaust the budget.
  excludeSelf: null,
  // Its own rules bound each; see COSTS.
  cancelLimitChange: null,
  acknowledgeRealityCheck: null,
  readNotification: null,
  readNotifications: null,
  // A stake pays. A key that comes after its round is recorded within the budget; see COSTS.
  slotBet: null,
  gameBet: null,
  gameStart: null,
  gamePlay: null,
  // They append nothing.
  logout: null,
  logoutAll: null,
  endSession: null,
  deposit: null,
  depositIntent: null,
  faucet: null,
};

test('every call that may append is in the table of this test', () => {
  const writes = Object.entries(routes).flatMap(([name, route]: [string, Route]) =>
    route.method === 'GET' ? [] : [name],
  );
  expect(Object.keys(ACTS).sort()).toEqual(writes.sort());
});

test.each(Object.entries(ACTS).flatMap(([name, act]) => (act ? [[name, act] as const] : [])))(
  '%s adds to the ledger within the budget of its wallet, in all gateways together',
  async (_, act) => {
    const wallet = createWallet();
    const login = await send('/auth/login', '', wallet.checkedLogin(Date.now()));
    expect(login.status).toBe(200);
    const { data } = await site.call<{ token: string }>('/auth/login', {
      body: wallet.checkedLogin(Date.now() + 1),
    });
    const player = { wallet, token: data.token } as TestPlayer;
    const sizes = async () => {
      const { rows } = await site.pool.query(
        `select (select count(*) from events)::int as events, (select count(*) from server_seeds)::int as seeds,
          (select count(*) from idempotency_keys)::int as keys`,
      );
      return rows[0];
    };
    let done = 0;
    let refused = await act(player, done);
    for (
      ;
      refused.status === 200 && done <= 10 * FREE_ACTS_PER_DAY;
      refused = await act(player, done)
    ) {
      done++;
    }
    expect(refused).toMatchObject({ status: 429, error: 'too-many-free-acts' });
    expect(done).toBeLessThanOrEqual(10 * FREE_ACTS_PER_DAY);
    const leftMs = Date.parse(refused.retryAt ?? '') - Date.now();
    expect(Math.abs(leftMs - refused.retryAfterS * 1_000)).toBeLessThan(60_000);
    expect(refused.retryAfterS).toBeGreaterThan(60);
    const before = await sizes();
    expect(await act(player, done)).toMatchObject({ error: 'too-many-free-acts' });
    expect(await sizes()).toEqual(before);
  },
);

test('discards of keys prevent no new nickname, exclusion or rotation', async () => {
  const player = await site.login();
  let refused: string | undefined;
  for (let n = 0; !refused && n <= 8 * FREE_ACTS_PER_DAY; n++) {
    refused = (await send(`/user/commands/key-${n}/discard`, player.token)).error;
  }
  expect(refused).toBe('too-many-free-acts');
  expect((await send('/user/profile', player.token, { nickname: 'fox' }, 'PUT')).status).toBe(200);
  expect((await send('/fairness/rotate', player.token, { client_seed: 'fox' })).status).toBe(200);
  for (const term of ['24h', '7d', '30d', '180d', 'permanent']) {
    expect((await send('/user/protection/exclusion', player.token, { term })).status).toBe(200);
  }
});

test('a stolen session that used up the budget prevents neither limits nor a login, on any gateway', async () => {
  const player = await site.login();
  let refused: string | undefined;
  for (let n = 0; !refused && n <= 8 * FREE_ACTS_PER_DAY; n++) {
    refused = (await send(`/user/commands/key-${n}/discard`, player.token)).error;
  }
  expect(refused).toBe('too-many-free-acts');
  const { url } = await site.addGateway();
  const on = (path: string, body: object, method?: string) =>
    send(path, player.token, body, method, url);
  expect(await on('/transaction/exchange', exchange)).toMatchObject({ status: 429 });
  const limit = { limit: 'loss', period: 'week' };
  for (const amount of [100, 50, 0]) {
    expect((await on('/user/protection/limits', { ...limit, amount }, 'PUT')).status).toBe(200);
  }
  expect((await on('/user/protection/exclusion', { term: '24h' })).status).toBe(200);
  expect((await on('/user/protection/exclusion', { term: '24h' })).status).toBe(200);
  expect((await send('/auth/login', '', player.wallet.login(Date.now()), 'POST', url)).status).toBe(
    200,
  );
  const { rows } = await site.pool.query(
    `select count(*)::int as n from events where stream = stream_key($1) and type = 'SelfExcluded'`,
    [`player-${player.wallet.address}`],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('calls count by their work', async () => {
  const player = await site.login();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const allowed = CALLS_PER_PLAYER / (CALL_WORK.withdraw ?? 0);
  const statuses = new Map<number, number>();
  const sendAll = async () => {
    for (let n = 0; n < allowed / 10 + 1; n++) {
      // They count before the body is read.
      const { status } = await send(WITHDRAW, player.token, {});
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 10 }, sendAll));
  vi.restoreAllMocks();
  expect(statuses).toEqual(
    new Map([
      [400, allowed],
      [429, 10],
    ]),
  );
});

test('clients that offer HTTP/2 get pages, assets and answers over HTTP/1.1', async () => {
  const { token } = await site.login();
  const offer =
    'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const status = async (line: string, more = '\r\n', head = offer) => {
    const answer = await sendBytes(site.url, `${line} HTTP/1.1\r\nHost: x\r\n${head}${more}`);
    return Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  };
  const paths = ['/', '/docs', '/assets/a.js', '/live', '/api/v1/config/system', '/api/v1/none'];
  for (const path of [...paths, '/ws', `/ws?token=${token}`]) {
    const plain = await status(`GET ${path}`, '\r\n', 'Connection: close\r\n');
    expect([path, await status(`GET ${path}`)]).toEqual([path, plain]);
  }
  const body = '{"bet_amount":10}';
  const more = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const length = `Content-Length: ${body.length}\r\n\r\n${body}`;
  expect(await status('POST /api/v1/game/slot-machine/bet', more + length)).toBe(200);
  const { close, closed } = await openSocket(site.url, token);
  close();
  await closed;
});
