import { operatorSentence } from '@reelbook/contract/login';
import { startExecutor } from '@reelbook/event-store/execute';
import { readStream } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { HOUR_MS, MINUTE_MS } from '@reelbook/ledger/calendar';
import type { OperatorEvent } from '@reelbook/ledger/operators/events';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { createWallet, TEST_CONSOLE_ORIGIN } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FAILED_SIGN_INS_PER_ADDRESS, openOperatorTokens, SIGN_INS_PER_ADDRESS } from './guard.ts';
import { createLinks } from './links.ts';

let site: TestSite;
let admin: AdminSite;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

interface Session {
  readonly token: string;
  readonly role: string;
  readonly operator: string;
  readonly error?: string;
}
const SIGN_IN = '/admin/auth/sign-in';
const reason = 'for a test';
const signIn = (body: object) => admin.call<Session>(SIGN_IN, { body });
const me = (token: string) => admin.call<Session>('/admin/me', { token });
const events = () =>
  readStream<OperatorEvent>(site.pool, { stream: OPERATORS_STREAM, fromVersion: 1, limit: 1_000 });

/** All calls belong to one window of a minute, however long they take. */
const stopWindows = () => void vi.spyOn(performance, 'now').mockReturnValue(performance.now());

describe('a sign-in', () => {
  test('of an operator is an event with the name of its session, not its token', async () => {
    const { wallet, token } = admin.by.auditor;
    expect((await me(token)).data).toMatchObject({ operator: wallet.address, role: 'auditor' });
    const recorded = await events();
    const signed = recorded.filter(
      ({ event }) => event.type === 'OperatorSignedIn' && event.data.operator === wallet.address,
    );
    expect(signed.length).toBe(1);
    const ledgers = recorded.map(({ body }) => body).join();
    for (const text of [ledgers, site.logged.join()]) expect(text).not.toContain(token);
  });

  test('works once: of 20 equal concurrent ones, one succeeds', async () => {
    // A different millisecond than all earlier sign-ins.
    const body = admin.by.viewer.wallet.signIn(Date.now() + 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(body)));
    const got = answers.map(({ status }) => status).sort();
    expect(got).toEqual([200, ...Array(19).fill(409)]);
  });

  test('signs the sentence that the console publishes, which names it', async () => {
    const { data } = await admin.call<{ origin: string; sentence: string }>('/admin/auth/sentence');
    expect(data).toEqual({
      origin: TEST_CONSOLE_ORIGIN,
      sentence: operatorSentence(TEST_CONSOLE_ORIGIN),
    });
    const body = admin.by.viewer.wallet.signIn(Date.now() + 2, data.sentence);
    expect((await signIn(body)).status).toBe(200);
  });

  test('rejects the signature of a player login, and vice versa', async () => {
    const { wallet } = admin.by.admin;
    const asPlayer = await signIn(wallet.login(Date.now()));
    expect([asPlayer.status, asPlayer.data.error]).toEqual([400, 'login-invalid']);
    const asOperator = await site.call<Session>('/auth/login', { body: wallet.signIn(Date.now()) });
    expect([asOperator.status, asOperator.data.error]).toEqual([400, 'login-invalid']);
  });

  test.each([
    ['too old', (w = createWallet()) => w.signIn(Date.now() - 301_000), 400, 'login-too-old'],
    [
      'from the future',
      (w = createWallet()) => w.signIn(Date.now() + 120_000),
      400,
      'login-in-future',
    ],
    [
      'for another console',
      (w = createWallet()) => w.signIn(Date.now(), operatorSentence('https://console.evil')),
      400,
      'login-other-origin',
    ],
    [
      'of another wallet',
      () => ({ ...createWallet().signIn(Date.now()), wallet_address: createWallet().address }),
      400,
      'login-invalid',
    ],
    [
      'without a time',
      () => ({ ...createWallet().signIn(Date.now()), message: 'let me in' }),
      400,
      'login-invalid',
    ],
    ['without a wallet', () => ({ signature: '', message: '' }), 400, 'bad-input'],
  ])('that is %s is refused', async (_what, make, status, error) => {
    const answer = await signIn(make());
    expect([answer.status, answer.data.error]).toEqual([status, error]);
  });

  test('of an unknown wallet is refused and recorded', async () => {
    const wallet = createWallet();
    const answer = await signIn(wallet.signIn(Date.now()));
    expect([answer.status, answer.message]).toEqual([
      403,
      'this wallet is not an operator. The attempt is recorded',
    ]);
    const refused = (await events()).map(({ event }) => event.data);
    expect(refused).toContainEqual(
      expect.objectContaining({ operator: wallet.address, reason: 'unknown' }),
    );
  });
});

describe('a session', () => {
  test('ends immediately when its operator is revoked, and a new role applies to the next call', async () => {
    const { wallet, token, call } = await admin.add('operator');
    const { by } = admin;
    const path = `/admin/operators/${wallet.address}`;
    const act = () => call('/admin/switches', { method: 'PUT', body: {} });
    expect((await act()).status).toBe(400);
    const lowered = await by.admin.call(`${path}/role`, {
      method: 'PUT',
      body: { role: 'viewer', reason },
    });
    expect(lowered.status).toBe(200);
    expect((await act()).status).toBe(403);
    expect((await by.admin.call(`${path}/revoke`, { body: { reason } })).status).toBe(200);
    expect((await me(token)).status).toBe(401);
    expect((await signIn(wallet.signIn(Date.now()))).status).toBe(403);
    // After being added again, the operator must sign in: the old token stays dead.
    const again = { operator: wallet.address, role: 'viewer', reason };
    const { data } = await by.admin.call<{ proposal: number }>('/admin/operators', { body: again });
    await admin.approve(data.proposal);
    expect((await me(token)).status).toBe(401);
    expect((await admin.signIn(wallet)).token).not.toBe(token);
  });

  const changed = (token: string, change: { readonly endsAtMs: number }) => {
    const tokens = openOperatorTokens(site.sessionKey);
    const claims = tokens.read(token);
    assert(claims, 'the token is of this console');
    return tokens.renew(token, { ...claims, ...change });
  };

  test('ends with a sign-out, which is an event, and no other session with it', async () => {
    const one = await admin.add('viewer');
    const other = await admin.signIn(one.wallet);
    const signOut = () => one.call('/admin/auth/sign-out', { body: {} });
    expect((await signOut()).status).toBe(200);
    expect([(await signOut()).status, (await me(one.token)).status]).toEqual([401, 401]);
    expect((await me(other.token)).status).toBe(200);
    const name = openOperatorTokens(site.sessionKey).read(one.token)?.name;
    const { address: operator } = one.wallet;
    const ended = (await events()).filter(
      ({ event }) => event.type === 'OperatorSignedOut' && event.data.operator === operator,
    );
    expect(ended.map(({ event }) => event.data)).toEqual([{ operator, session: name }]);
  });

  test('ends with all others of its operator by a sign-out everywhere, each an event', async () => {
    const { wallet, token, call } = await admin.add('viewer');
    const others = [await admin.signIn(wallet), await admin.signIn(wallet)];
    const { token: stranger } = await admin.signIn(admin.by.auditor.wallet);
    expect((await call('/admin/auth/sign-out-all', { body: {} })).status).toBe(200);
    for (const dead of [token, ...others.map((one) => one.token)]) {
      expect((await me(dead)).status).toBe(401);
    }
    expect((await me(stranger)).status).toBe(200);
    expect((await call('/admin/auth/sign-out-all', { body: {} })).status).toBe(401);
    expect((await me((await admin.signIn(wallet)).token)).status).toBe(200);
  });

  test('ends when it expires, and after eight hours at most', async () => {
    const { token, wallet } = await admin.add('viewer');
    expect((await me(changed(token, { endsAtMs: Date.now() - MINUTE_MS }))).status).toBe(401);
    const { data } = await admin.call<{ expires_at: string }>('/admin/me', { token });
    const signedIn = (await events()).findLast(
      ({ event }) => event.type === 'OperatorSignedIn' && event.data.operator === wallet.address,
    );
    const endsAtMs = Date.parse(data.expires_at);
    expect(signedIn?.event.data).toMatchObject({ atMs: endsAtMs - 8 * HOUR_MS });
  });

  test('is none with a token of a player, of another purpose or of an earlier build', async () => {
    const player = await site.login(admin.by.auditor.wallet);
    for (const token of [player.token, 'A'.repeat(48), 'A'.repeat(116)]) {
      expect((await me(token)).status).toBe(401);
    }
    expect((await site.call('/user/profile', { token: admin.by.auditor.token })).status).toBe(401);
  });

  test('is decided by no row that the role of the console may write', async () => {
    const { wallet, token, call } = await admin.add('viewer');
    const { wallet: target } = admin.by.admin;
    const columns = async (type: string) => {
      const { rows } = await site.pool.query<{ name: string; column: string }>(
        `select format('%I.%I', table_schema, table_name) as name, quote_ident(column_name) as column
          from information_schema.columns where data_type = $1
            and table_schema not in ('pg_catalog', 'information_schema')
            and has_table_privilege(format('%I.%I', table_schema, table_name), 'update')`,
        [type],
      );
      return rows;
    };
    const texts = await columns('text');
    expect(texts).toContainEqual({ name: 'public.sessions', column: 'wallet' });
    const point = async (from: string, to: string) => {
      for (const { name, column } of texts) {
        await site.pool.query(`update ${name} set ${column} = $2 where ${column} = $1`, [from, to]);
      }
    };
    await point(wallet.address, target.address);
    expect((await me(token)).data).toMatchObject({ operator: wallet.address, role: 'viewer' });
    await point(target.address, wallet.address);
    expect((await me(admin.by.admin.token)).data).toMatchObject({ role: 'admin' });

    const times = (await columns('timestamp with time zone')).filter(({ name }) =>
      name.includes('session'),
    );
    const tables = [...new Set(times.map(({ name }) => name))];
    expect(tables).toContain('public.sessions');
    const saved = await Promise.all(
      tables.map((name) =>
        site.pool.query<{ row: string }>(`select to_json(one)::text as row from ${name} as one`),
      ),
    );
    expect((await call('/admin/auth/sign-out', { body: {} })).status).toBe(200);
    for (const [i, name] of tables.entries()) {
      await site.pool.query(`delete from ${name}`);
      for (const { row } of saved[i]?.rows ?? []) {
        await site.pool.query(
          `insert into ${name} select * from json_populate_record(null::${name}, $1)`,
          [row],
        );
      }
    }
    for (const { name, column } of times) {
      await site.pool.query(
        `update ${name} set ${column} = now() + interval '5 years' where ${column} is not null`,
      );
    }
    expect((await me(token)).status).toBe(401);
  });
});

test('operators are added, changed and revoked with a reason, and the last admin stays', async () => {
  const { by } = admin;
  const wallet = createWallet().address;
  const add = (body: object) =>
    by.admin.call<{ proposal: number; error?: string }>('/admin/operators', { body });
  const added = await add({ operator: wallet, role: 'viewer', reason });
  await admin.approve(added.data.proposal);
  expect((await add({ operator: wallet, role: 'viewer', reason })).message).toBe(
    'this wallet is an operator already, with the role viewer',
  );
  expect((await add({ operator: 'me', role: 'viewer', reason })).status).toBe(400);
  expect((await add({ operator: wallet, role: 'owner', reason })).message).toBe(
    'role must be one of viewer, auditor, operator, admin',
  );
  expect((await add({ operator: wallet, role: 'viewer' })).message).toBe('reason is missing');
  const list = await by.admin.call<{ operator: string; role: string }[]>('/admin/operators');
  expect(list.data).toContainEqual({ operator: wallet, role: 'viewer', name: null });
  const stranger = createWallet().address;
  const gone = await by.admin.call(`/admin/operators/${stranger}/revoke`, { body: { reason } });
  expect([gone.status, gone.message]).toEqual([404, 'this wallet is not an operator']);
});

describe('a one-time link', () => {
  const enter = (link: string) => admin.call<Session>('/admin/auth/link', { body: { link } });

  test('works once, and the two links are two operators', async () => {
    const [first, second] = admin.links as [string, string];
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(first)));
    const got = answers.filter(({ status }) => status === 200);
    expect(got.length).toBe(1);
    expect(answers.filter(({ data }) => data.error === 'link-dead').length).toBe(9);
    const other = await enter(second);
    expect(other.data.role).toBe('admin');
    expect(other.data.operator).not.toBe(got[0]?.data.operator);
    expect((await me(other.data.token)).status).toBe(200);
  });

  test('of a command works while the server runs, for an hour and with its session key', async () => {
    const executor = startExecutor({ pool: site.pool });
    const [link = ''] = await createLinks(executor, site.sessionKey);
    const [forged = ''] = await createLinks(executor, Buffer.alloc(32, 1));
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    const [expired = ''] = await createLinks(executor, site.sessionKey);
    vi.restoreAllMocks();
    await executor.close();
    const altered = Buffer.from(link, 'base64url');
    altered.writeUInt8(1);
    for (const bad of [forged, expired, altered.toString('base64url')]) {
      expect((await enter(bad)).data.error).toBe('link-dead');
    }
    expect((await enter(link)).data.role).toBe('admin');
    expect((await enter(link)).data.error).toBe('link-dead');
  });

  test('that is unknown is refused', async () => {
    for (const link of ['', 'x'.repeat(43), '__proto__']) {
      expect((await enter(link)).status).toBe(403);
    }
  });
});

// Must be last: they use up the limits of this address.
describe('of one address', () => {
  beforeAll(stopWindows);
  afterAll(() => vi.restoreAllMocks());

  const attempt = (body: object) =>
    fetch(`${admin.url}/api/v1${SIGN_IN}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const statusesOf = async (attempts: number, body: (n: number) => object) => {
    const statuses = new Set<number>();
    for (let n = 0; n < attempts; n++) statuses.add((await attempt(body(n))).status);
    return [...statuses];
  };

  test('junk sign-ins are limited, and refuse the operator neither there nor by name', async () => {
    const { wallet } = admin.by.auditor;
    const junk = () => ({ ...createWallet(1).signIn(Date.now()), wallet_address: wallet.address });
    expect(await statusesOf(2 * FAILED_SIGN_INS_PER_ADDRESS, junk)).toEqual([400, 429]);
    expect((await attempt(wallet.signIn(Date.now() + 2))).status).toBe(200);
  });

  test('wallets that are not operators are no longer recorded above the limit', async () => {
    const before = (await events()).length;
    const strangers = await statusesOf(20, () => createWallet().signIn(Date.now()));
    expect([strangers, (await events()).length]).toEqual([[429], before]);
  });

  test('all attempts have a bound', async () => {
    const statuses = await statusesOf(SIGN_INS_PER_ADDRESS, () => ({}));
    expect(statuses).toContain(429);
    const last = await attempt(admin.by.auditor.wallet.signIn(Date.now() + 3));
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});
