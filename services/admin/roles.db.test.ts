import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { ADMIN_BASE } from '@reelbook/contract/route';
import { mayAct, ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let playerToken = '';
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  ({ token: playerToken } = await site.login());
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const WALLET = '11111111111111111111111111111111';

/** A call with an empty body: authorization is checked before the body is read. */
async function callAs(name: AdminRouteName, token: string | null, url = admin.url) {
  const { method, path } = adminRoutes[name];
  const target = path.replace(/:operator|:wallet/g, WALLET).replace(/:\w+/g, '1');
  const response = await fetch(url + ADMIN_BASE + target, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  const { code, data } = (await response.json()) as { code: number; data: { error?: string } };
  expect(code).toBe(response.status);
  return { status: response.status, error: data.error };
}

// Generated from the table, so that new routes are tested and routes without a role fail.
const routes = Object.entries(adminRoutes).map(
  ([name, { access }]) => [name as AdminRouteName, access] as const,
);
const guarded = routes.filter(([, access]) => access !== 'public') as [AdminRouteName, Role][];

test('only sign-in routes need no session', () => {
  const open = routes.filter(([, access]) => access === 'public').map(([name]) => name);
  expect(open).toEqual(['signInSentence', 'signIn', 'signInByLink']);
});

// Excluded: signing out ends the session of the other tests.
const tried = guarded.filter(([name]) => !name.startsWith('signOut'));

test('every route refuses a missing, a forged and a player token', async () => {
  for (const [name] of tried) {
    for (const [what, token] of [
      ['no', null],
      ['a forged', 'x'.repeat(43)],
      ['a player', playerToken],
    ] as const) {
      const refused = { status: 401, error: 'session-dead' };
      expect.soft(await callAs(name, token), `${name} with ${what} token`).toEqual(refused);
    }
  }
});

test('every route refuses every lower role and accepts the others', async () => {
  for (const [name, least] of tried) {
    for (const role of ROLES) {
      const { status, error } = await callAs(name, admin.by[role].token);
      const what = `${name}, for ${least} and above, by ${role}`;
      if (mayAct(role, least)) expect.soft([401, 403], what).not.toContain(status);
      else expect.soft({ status, error }, what).toEqual({ status: 403, error: 'role-too-low' });
    }
  }
});

test('no route exists on the port of players', async () => {
  for (const [name] of tried) {
    const { status } = await callAs(name, admin.by.admin.token, site.url);
    expect.soft(status, name).toBe(404);
  }
});

test('an operator token is not a player token', async () => {
  const { status } = await site.call('/user/balance', { token: admin.by.admin.token });
  expect(status).toBe(401);
});
