import { auditLedger } from '@reelbook/audit/audit';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { runInProcess } from '@reelbook/testing/run-program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';
import type { AdminData } from './answers.ts';

let site: TestSite;
let admin: AdminSite;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
});
afterAll(async () => {
  await admin?.close();
  await site?.close();
});

const name = (
  by: TestOperator,
  of: TestOperator,
  text: string,
  key: string = crypto.randomUUID(),
) =>
  by.call<{ error?: string }>(`/admin/operators/${of.wallet.address}/name`, {
    method: 'PUT',
    key,
    body: { name: text, reason: 'new on the team' },
  });
const names = async () =>
  (await admin.by.viewer.call<AdminData<'operatorNames'>>('/admin/operators/names')).data;

test('an operator of any role sets a name, an admin any name, and every operator sees it', async () => {
  const { viewer, operator, admin: boss } = admin.by;
  expect((await name(viewer, viewer, 'Ann Lee', 'k1')).status).toBe(200);
  expect((await name(viewer, viewer, 'Ann Lee', 'k1')).status).toBe(200);
  expect((await name(viewer, viewer, 'Ann Lee')).data.error).toBe('nothing-to-change');
  const other = await name(viewer, operator, 'Bob');
  expect([other.status, other.data.error]).toEqual([403, 'operator-name-not-own']);
  expect((await name(operator, operator, 'Ann-Iee')).data.error).toBe('operator-name-taken');
  expect((await name(boss, operator, '小明')).status).toBe(200);
  expect(await names()).toEqual([
    { operator: viewer.wallet.address, name: 'Ann Lee' },
    { operator: operator.wallet.address, name: '小明' },
  ]);
  const { data: listed } = await boss.call<AdminData<'operators'>>('/admin/operators');
  expect(listed.find((one) => one.operator === operator.wallet.address)?.name).toBe('小明');
  expect(listed.find((one) => one.operator === boss.wallet.address)?.name).toBe(null);
  const environment = { DATABASE_URL: site.database.url, DATA_DIR: '/nonexistent' };
  const { output } = await runInProcess(reelbook, ['operator', 'list'], environment);
  expect(output).toContain(`${operator.wallet.address}  operator  小明\n`);
  expect(output).toMatch(new RegExp(`^${boss.wallet.address}  admin$`, 'm'));
});

test('of two operators who choose one name at the same time, one gets it', async () => {
  const two = [await admin.add('operator'), await admin.add('operator')];
  const answers = await Promise.all(two.map((one) => name(one, one, 'Twin')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await names()).filter((one) => one.name === 'Twin')).toHaveLength(1);
});

test('the audit passes after operators were named', async () => {
  const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
});
