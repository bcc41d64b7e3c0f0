/** A request is admitted by its head. Its body may arrive seconds later: the session or the role may have ended since. */
import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import { ADMIN_BASE, DRY_RUN_PATH } from '@reelbook/contract/route';
import { readStream } from '@reelbook/event-store/read-stream';
import type { OperatorEvent } from '@reelbook/ledger/operators/events';
import { mayAct, type Role } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { sendLate } from '@reelbook/testing/raw-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAction } from './dry-run.ts';

const reason = 'the key was stolen';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview();
});
afterAll(() => bank.close());

/** Sends all but the last byte. Resolves when a later call of the operator has a response, so that the head was read. */
async function sendHead(by: TestOperator, path: string, body: object, method = 'POST') {
  const sent = sendLate(bank.admin.url, { method, path: ADMIN_BASE + path, body, token: by.token });
  for (let n = 0; n < 3; n++) expect((await by.call('/admin/me')).status).toBe(200);
  return sent;
}

const actors = async (actor: string) => {
  const stream = { stream: OPERATORS_STREAM, fromVersion: 1, limit: 1_000 };
  const events = await readStream<OperatorEvent>(bank.site.pool, stream);
  return events.filter(({ meta }) => meta.actor === actor).map(({ event }) => event.type);
};

const routes = Object.entries(adminRoutes) as [
  AdminRouteName,
  (typeof adminRoutes)[AdminRouteName],
][];
/** All calls with a body that the role may make, and their dry runs, but not those that end the session of the others. */
const callsOf = (role: Role) =>
  routes.flatMap(([name, { method, path, access }]) => {
    if (method === 'GET' || access === 'public' || !mayAct(role, access)) return [];
    if (name.startsWith('signOut')) return [];
    const target = path.replace(/:operator|:wallet/g, '1'.repeat(32)).replace(/:\w+/g, '1');
    const paths = isAction(name) ? [target, target + DRY_RUN_PATH] : [target];
    return paths.map((one) => ({ method, path: one, access }));
  });

const revoke = ({ wallet }: TestOperator) =>
  bank.admin.by.admin.call(`/admin/operators/${wallet.address}/revoke`, { body: { reason } });
const lower = ({ wallet }: TestOperator) =>
  bank.admin.by.admin.call(`/admin/operators/${wallet.address}/role`, {
    method: 'PUT',
    body: { role: 'viewer', reason },
  });
const signOut = (by: TestOperator) => by.call('/admin/auth/sign-out', { body: {} });
const signOutAll = async ({ wallet }: TestOperator) =>
  (await bank.admin.signIn(wallet)).call('/admin/auth/sign-out-all', { body: {} });

test.each([
  ['signed out', signOut],
  ['signed out everywhere', signOutAll],
  ['revoked', revoke],
  ['lowered to viewer', lower],
] as const)(
  'no call of an operator who was %s before its body arrived is executed',
  async (what, end) => {
    const thief = await bank.admin.add('operator');
    const calls = callsOf('operator');
    expect(calls.length).toBeGreaterThan(30);
    // At the same time: the server waits 15 seconds for a body.
    const sent = await Promise.all(
      calls.map(async ({ method, path, access }) => {
        return { path, access, late: await sendHead(thief, path, {}, method) };
      }),
    );
    expect((await end(thief)).status).toBe(200);
    const before = (await actors(`operator:${thief.wallet.address}`)).length;
    let refused = 0;
    const answers = await Promise.all(sent.map(({ late }) => late.finish()));
    for (const [n, { path, access }] of sent.entries()) {
      const answer = answers[n] ?? { status: 0, error: undefined };
      if (what !== 'lowered to viewer') {
        expect.soft(answer, path).toEqual({ status: 401, error: 'session-dead' });
      } else if (access !== 'viewer') {
        expect.soft(answer, path).toEqual({ status: 403, error: 'role-too-low' });
        refused++;
      } else expect.soft(answer.error, path).not.toBe('role-too-low');
    }
    const acts = (await actors(`operator:${thief.wallet.address}`)).slice(before);
    expect(
      acts.filter((type) => type !== 'OperatorAccessDenied' && type !== 'OperatorSignedOut'),
    ).toEqual([]);
    if (what === 'lowered to viewer') expect(refused).toBeGreaterThan(20);
  },
);

test('an admin who was revoked before the body arrived gives no role and changes nothing', async () => {
  const calls = callsOf('admin').filter(({ access }) => access === 'admin');
  expect(calls.length).toBeGreaterThan(6);
  const { second } = bank.admin;
  const sent = await Promise.all(
    calls.map(
      async ({ method, path }) => [path, await sendHead(second, path, {}, method)] as const,
    ),
  );
  expect((await revoke(second)).status).toBe(200);
  for (const [path, late] of sent) {
    expect.soft(await late.finish(), path).toEqual({ status: 401, error: 'session-dead' });
  }
});

test('the second approval of a revoked operator is none', async () => {
  const thief = await bank.admin.add('operator');
  const player = await bank.player(3_000n * BSM);
  await bank.credit(player, 2_500n * BSM);
  const id = await bank.withdraw(player, 2_000);
  await bank.reaches(id, 'requested');
  const path = `/withdrawals/${id}/approve`;
  const first = await bank.admin.by.operator.call(`/admin${path}`, { body: { reason } });
  expect(first.status).toBe(200);
  const late = await sendHead(thief, path, { reason });
  expect((await revoke(thief)).status).toBe(200);
  expect(await late.finish()).toEqual({ status: 401, error: 'session-dead' });
  expect(await bank.statusOf(id)).toBe('requested');
  await bank.expectIntact();
});

test('a command that waits while its operator signs out is not executed', async () => {
  const thief = await bank.admin.add('operator');
  const { address } = thief.wallet;
  const path = `/admin/operators/${address}/name`;
  const rename = (n: number) => {
    const name = `Name ${'abcdefghij'[n % 10]}${n}`;
    return thief.call(path, { method: 'PUT', body: { name, reason } });
  };
  const [before, after] = [Array.from({ length: 5 }), Array.from({ length: 40 })];
  const acts = [
    ...before.map((_, n) => rename(n)),
    signOut(thief),
    ...after.map((_, n) => rename(9 + n)),
  ];
  const statuses = (await Promise.all(acts)).map(({ status }) => status);
  expect(statuses[before.length]).toBe(200);
  for (const status of statuses) expect([200, 401]).toContain(status);
  const stream = { stream: OPERATORS_STREAM, fromVersion: 1, limit: 1_000 };
  const events = await readStream<OperatorEvent>(bank.site.pool, stream);
  const end = events.findIndex(
    ({ event }) => event.type === 'OperatorSignedOut' && event.data.operator === address,
  );
  expect(end).toBeGreaterThan(0);
  const later = events.slice(end + 1).filter(({ meta }) => meta.actor === `operator:${address}`);
  expect(later.map(({ event }) => event.type)).toEqual([]);
  await bank.expectIntact();
});

test('nothing is reserved for an operator who signed out meanwhile', async () => {
  const thief = await bank.admin.add('viewer');
  const path = `/admin/operators/${thief.wallet.address}/name`;
  const rename = (n: number) => {
    const name = `Other ${'abcdefghijklmnop'[n]}`;
    return thief.call(path, { method: 'PUT', body: { name, reason } });
  };
  // The sign-in reserved fewer; what the others need is reserved after they were decided.
  const acts = [...Array.from({ length: 12 }, (_, n) => rename(n)), signOut(thief)];
  await Promise.all(acts);
  const types = await actors(`operator:${thief.wallet.address}`);
  expect(types).toContain('OperatorSignedOut');
  expect(types.slice(types.indexOf('OperatorSignedOut') + 1)).toEqual([]);
  await bank.expectIntact();
});

test('an export ends with the session of its operator', async () => {
  const thief = await bank.admin.add('operator');
  const owner = await bank.site.database.pool('owner', 1).connect();
  // The export has started and waits for its job.
  await owner.query('begin');
  await owner.query('lock table admin_jobs in access exclusive mode');
  const headers = { authorization: `Bearer ${thief.token}` };
  let exported: Promise<string> | null = null;
  await bank.until(async () => {
    // Again if it has waited for too long.
    exported ??= fetch(`${bank.admin.url}${ADMIN_BASE}/export?format=jsonl`, { headers })
      .then((response) => response.text())
      .catch(() => '')
      .finally(() => {
        exported = null;
      });
    const { rowCount } = await bank.site.pool.query(
      `select from pg_locks where not granted and relation = 'admin_jobs'::regclass
        and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(rowCount).toBe(1);
  });
  expect((await signOut(thief)).status).toBe(200);
  await owner.query('commit');
  owner.release();
  expect(await exported).not.toMatch(/previous_hash|manifest/);
});
