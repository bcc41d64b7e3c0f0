import { HOUR_MS } from '@reelbook/ledger/calendar';
import { points, start } from '@reelbook/simulator/client/timed-play';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  // A timed round stays open during the test.
  site = await startSite({ gameTickMs: HOUR_MS });
  admin = await startAdminSite(site);
  ann = admin.by.operator;
  bob = await admin.add('operator');
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const reason = 'as agreed by phone';
const on = (player: TestPlayer, act: string) => `/admin/players/${player.wallet.address}/${act}`;

test('an operator acted on the own wallet: adjusted, annotated, limited, reinstated and approved', async () => {
  const self = await site.login(ann.wallet);
  const before = await points(self);
  const round = (await start(self, 'tetris')).data.round_id;
  const acts: readonly [string, object][] = [
    ['adjustments', { amount: { asset: 'points', minor: '100' }, reason }],
    ['suspend', { reason }],
    ['reinstate', { reason }],
    ['notes', { note: reason }],
    ['limits', { kind: 'loss', period: 'day', minor: '100', reason }],
    ['exclusion', { term: '24h', reason }],
    [`rounds/${round}/void`, { reason }],
  ];
  for (const [act, body] of acts) {
    const method = act === 'limits' ? 'PUT' : 'POST';
    const refused = await ann.call<{ error: string }>(on(self, act), { method, body });
    expect([refused.status, refused.data.error], act).toEqual([403, 'operator-own-wallet']);
  }
  const body = { amount: { asset: 'points', minor: '5000000' }, reason };
  const { data } = await bob.call<{ proposal: number }>(on(self, 'adjustments'), { body });
  for (const what of ['approve', 'withdraw']) {
    const path = `/admin/proposals/${data.proposal}/${what}`;
    expect((await ann.call(path, { body: { reason } })).status).toBe(403);
  }
  expect(await points(self)).toBe(before - 10);
});
