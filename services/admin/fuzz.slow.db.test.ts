import { auditLedger } from '@reelbook/audit/audit';
import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { ADMIN_BASE, type Route } from '@reelbook/contract/route';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { LAG } from '@reelbook/simulator/stages/lag';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { bodyText, queryOf, segmentOf } from '@reelbook/testing/fuzz';
import { openRawClient, type RawRequest } from '@reelbook/testing/raw-http';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';

const REQUESTS = 800;
/** Generous, because the number of requests is fixed, not the time. */
const TIMEOUT_MS = 600_000;

let site: TestSite;
let admin: AdminSite;
/** A player to act on: every second wallet segment is this one. */
let wallet = '';
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  wallet = (await site.login()).wallet.address;
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

type Fuzzed = RawRequest & { readonly name: AdminRouteName };

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const TYPES = ['application/json', 'application/json', 'application/json', 'text/plain', ''];
const KEYS = [null, null, 'k', 'x'.repeat(200), 'two words', '\u00e9'];

function requestTo(name: AdminRouteName): fc.Arbitrary<Fuzzed> {
  const route: Route = adminRoutes[name];
  const params = (route.params as { properties?: Record<string, TSchema> })?.properties ?? {};
  const parts = route.path.split('/').map((part) => {
    if (!part.startsWith(':')) return fc.constant(() => part);
    const any = segmentOf(params[part.slice(1)]).map((text) => () => text);
    return part === ':wallet'
      ? fc.oneof(
          any,
          fc.constant(() => wallet),
        )
      : any;
  });
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string>(route.method) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  return fc
    .record({
      method,
      path: fc.tuple(...parts),
      query: queryOf(route.query),
      body: bodyText(route.body),
      type: fc.constantFrom(...TYPES),
      key: fc.constantFrom(...KEYS),
      bearer: fc.constantFrom(true, true, true, true, true, false),
    })
    .map(({ method: verb, path, query, body, type, key, bearer }) => ({
      name,
      method: verb,
      path: ADMIN_BASE + path.map((part) => part()).join('/') + query,
      headers: {
        ...(bearer ? { authorization: `Bearer ${admin.by.admin.token}` } : {}),
        ...(type === '' ? {} : { 'content-type': type }),
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: verb === 'HEAD' || (verb === 'GET' && route.method === 'GET') ? null : body,
    }));
}

// Excluded: signing out would end the session of all other requests.
const names: readonly AdminRouteName[] = (Object.keys(adminRoutes) as AdminRouteName[]).filter(
  (name): boolean => !name.startsWith('signOut'),
);

test('every route responds in the envelope to every request, and the ledger stays intact', {
  timeout: TIMEOUT_MS,
}, async () => {
  const client = openRawClient(admin.url);
  const seen = new Set<number>();
  const reached = new Set<AdminRouteName>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names).chain(requestTo), async (asked) => {
      const { status, text } = await client.send(asked);
      seen.add(status);
      // With TEST_LAG, a projection may lag too much for a response.
      const isLate = LAG.order !== 'none' && status === 503;
      if (!isLate) expect(status).toBeLessThan(500);
      if (asked.method === 'HEAD') return;
      const envelope = JSON.parse(text) as { code: number; message: string; data: unknown };
      if (isLate) expect(envelope.data).toMatchObject({ error: 'read-model-behind' });
      expect(envelope).toMatchObject({ code: status, message: expect.stringMatching(/./) });
      if (status !== 200 || asked.method !== adminRoutes[asked.name].method) return;
      reached.add(asked.name);
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  client.close();
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 415]));
  expect(reached.size).toBeGreaterThan(5);
  expect((await fetch(`${admin.url}/health`)).status).toBe(200);
  const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
});
