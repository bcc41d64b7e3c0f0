import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { ADMIN_BASE } from '@reelbook/contract/paths';
import { mayAct, ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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

/** A call of the route with a body that says nothing: who may not call must hear so before it is read. */
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

// From the table itself: a route that is new is tested, and one without a role stands out here.
const routes = Object.entries(adminRoutes).map(
  ([name, { access }]) => [name as AdminRouteName, access] as const,
);
const guarded = routes.filter(([, access]) => access !== 'public') as [AdminRouteName, Role][];

test('only what comes before a session needs none', () => {
  const open = routes.filter(([, access]) => access === 'public').map(([name]) => name);
  expect(open).toEqual(['signIn', 'signInByLink']);
});

// Signing out ends the session that the others of this file use.
describe.each(guarded.filter(([name]) => name !== 'signOut'))(
  '%s, for %s and above',
  (name, least) => {
    test('refuses who has no token, a forged one, or one of a player', async () => {
      const forged = 'x'.repeat(43);
      for (const token of [null, forged, playerToken]) {
        expect(await callAs(name, token)).toEqual({ status: 401, error: 'session-dead' });
      }
    });

    test('refuses every lesser role and lets the others in', async () => {
      for (const role of ROLES) {
        const { status, error } = await callAs(name, admin.by[role].token);
        if (mayAct(role, least)) expect([401, 403]).not.toContain(status);
        else expect({ status, error }).toEqual({ status: 403, error: 'role-too-low' });
      }
    });

    test('does not exist on the port of players', async () => {
      const { status } = await callAs(name, admin.by.admin.token, site.url);
      expect(status).toBe(404);
    });
  },
);

test('an operator is no player', async () => {
  const { status } = await site.call('/user/balance', { token: admin.by.admin.token });
  expect(status).toBe(401);
});
