/** A caller of `append` forges proposals of any form: operators see each, withdraw it, and go on with the others. */
import { auditLedger } from '@reelbook/audit/audit';
import { readBoth } from '@reelbook/event-store/read-stream';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { forge } from '@reelbook/testing/tamper';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AdminData } from './answers.ts';

const reason = 'a test';
let site: TestSite;
let admin: AdminSite;
let bob: TestOperator;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  bob = await admin.add('operator');
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const list = async () => {
  const { status, data } = await bob.call<AdminData<'proposals'>>('/admin/proposals');
  expect(status).toBe(200);
  return data;
};
const post = (by: TestOperator, path: string, body: object = {}) =>
  by.call<{ proposal: number; status: string; error?: string }>(`/admin/${path}`, {
    body: { reason, ...body },
  });
const faults = async () => {
  const { findings } = await auditLedger({ pool: site.pool, vault: site.vault, onProgress() {} });
  return findings.kept;
};

test('each is on the list, can be withdrawn and not approved, and is a finding in words', async () => {
  const player = await site.login();
  const amount = { asset: 'points', minor: '5000000' };
  const path = `players/${player.wallet.address}/adjustments`;
  const honest = (await post(admin.by.operator, path, { amount })).data.proposal;
  const data = {
    ...{ kind: 'role', target: OPERATORS_STREAM, number: 1, schema: 1, fingerprint: 'f' },
    command: { operator: bob.wallet.address, roleBefore: 'operator', roleAfter: 'admin' },
    ...{ care: 'two', waitMs: 0, by: `operator:${bob.wallet.address}`, reason, atMs: Date.now() },
  };
  const forged: readonly (readonly [string, unknown])[] = [
    ...Object.keys(data).flatMap((field) => [
      [field, undefined] as const,
      [field, { x: 1 }] as const,
    ]),
    ...['unknown', '__proto__', 'toString'].map((kind) => ['kind', kind] as const),
    ...['', 'x', 'player-', 'player-x'].map((target) => ['target', target] as const),
    // Of another kind, and of a form that only its decision refuses.
    ...['adjustment', 'void', 'restore'].map((kind) => ['kind', kind] as const),
    ['command', { operator: 'x', roleBefore: null, roleAfter: 'admin' }],
    ...[1e300, null, -1].map((atMs) => ['atMs', atMs] as const),
  ];
  for (const [field, value] of forged) {
    await forge(site.pool, OPERATORS_STREAM, () => [
      { type: 'Proposed', data: { ...data, [field]: value } },
    ]);
  }
  const open = await list();
  expect(open).toHaveLength(forged.length + 1);
  const kept = await faults();
  for (const { number, position } of open.filter((one) => one.number !== honest)) {
    const approved = await post(bob, `proposals/${number}/approve`);
    expect(approved.data.error).toMatch(/^proposal-(outdated|needs-role)$/);
    const own = kept.filter((one) => one.position === position).map((one) => one.message);
    expect(own.length, `#${position}`).toBeGreaterThan(0);
    expect(own.filter((message) => message.includes('the checks failed'))).toEqual([]);
    const withdrawn = await post(bob, `proposals/${number}/withdraw`);
    expect([number, withdrawn.status]).toEqual([number, 200]);
  }
  expect(await list()).toMatchObject([{ number: honest, kind: 'adjustment' }]);
  expect((await post(bob, `proposals/${honest}/approve`)).data.status).toBe('executed');
});

test('one that was approved is refused by the worker, and one that cannot be decided fails the check of the console', async () => {
  const player = await site.login();
  const stream = playerStream(player.wallet.address);
  const by = `operator:${bob.wallet.address}`;
  const approve = (kind: string, command?: object) =>
    forge(site.pool, OPERATORS_STREAM, ({ version }: { version: number }) => [
      {
        type: 'Proposed',
        data: {
          ...{ kind, target: stream, command, number: version + 1, schema: 1, fingerprint: 'f' },
          ...{ care: 'two', waitMs: 0, by: admin.by.operator.wallet.address, reason },
          atMs: Date.now(),
        },
      },
      { type: 'Approved', data: { proposal: version + 1, by, reason, isLast: true } },
    ]);
  await approve('adjustment');
  await vi.waitFor(async () => expect(await list()).toEqual([]), WAIT);
  const ready = async () => {
    const response = await fetch(`${admin.url}/ready`);
    return ((await response.json()) as { checks: Record<string, string | null> }).checks.approvals;
  };
  expect(await ready()).toBeNull();
  const { stored } = await readBoth(site.pool, playerDecider, stream);
  const write = (state: string) =>
    site.database
      .pool('owner')
      .query('update streams set state = $1 where name = $2', [state, stream]);
  const { rows } = await site.pool.query<{ state: string }>(
    'select state from streams where name = $1',
    [stream],
  );
  expect(stored.version).toBeGreaterThan(0);
  await write((rows[0]?.state ?? '').replace('"tokenMinor":"0"', '"tokenMinor":"9"'));
  await approve('reinstatement', {});
  await vi.waitFor(async () => expect(await ready()).toBe('failing'), WAIT);
  expect(await list()).toMatchObject([{ approved: true }]);
  await write(rows[0]?.state ?? '');
  await vi.waitFor(async () => expect(await ready()).toBeNull(), WAIT);
});
