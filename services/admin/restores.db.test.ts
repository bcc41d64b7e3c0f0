import { auditLedger } from '@reelbook/audit/audit';
import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import { foldedState } from '@reelbook/event-store/read-stream';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { RESTORED_COMMAND, restoresOf } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { restoreLedger } from '@reelbook/payments/approvals';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

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

const payment = { signature: 'paid', withdrawal: 'tAAA-w1', netMinor: 9n, to: 'account' };

/** As the command `restored` does. @returns the number of the proposal. */
async function propose(): Promise<number> {
  const { pool } = site;
  const { position, hash } = await readHead(pool);
  const loss = { position, hash, lostTo: position + 3, payments: [payment], anchors: [] };
  const executor = startExecutor({ pool });
  const executed = await restoreLedger(
    { pool, executor, clock: openClock(pool), knownRules: {} },
    { type: 'RestoreLedger', loss, by: RESTORED_COMMAND, reason: 'a test' },
    'test',
  );
  await executor.close();
  expect(executed).toMatchObject({ kind: 'done', events: [{ event: { type: 'Proposed' } }] });
  return executed.kind === 'done' ? executed.version : 0;
}

const decide = async (by: TestOperator, what: string, number: number) => {
  const body = { reason: 'I compared it with the chain' };
  const path = `/admin/proposals/${number}/${what}`;
  const { status, data } = await by.call<{ status?: string; error?: string }>(path, { body });
  return status === 200 ? (data.status ?? 'withdrawn') : (data.error ?? status);
};
const epoch = async () => {
  const { state } = await foldedState(site.pool, operatorsDecider, OPERATORS_STREAM);
  return restoresOf(state).epoch;
};

test('a proposed restore shows what was lost, and takes two admins', async () => {
  const number = await propose();
  const { data: open } = await admin.by.viewer.call('/admin/proposals');
  expect(open).toMatchObject([
    {
      kind: 'restore',
      number,
      by: RESTORED_COMMAND,
      needs: { role: 'admin', people: 2 },
      restore: {
        payments: [{ withdrawal: 'tAAA-w1', amount: { asset: 'token', minor: '9' } }],
        anchors: [],
      },
    },
  ]);
  expect(await decide(admin.by.operator, 'approve', number)).toBe('proposal-needs-role');
  expect(await decide(admin.by.admin, 'approve', number)).toBe('waiting');
  expect(await decide(admin.by.admin, 'approve', number)).toBe('proposal-own');
  const { data: approved } = await admin.by.viewer.call('/admin/proposals');
  expect(approved).toMatchObject([{ approvals: [{ reason: 'I compared it with the chain' }] }]);
  expect(await epoch()).toBe(0);
  expect(await decide(admin.second, 'approve', number)).toBe('executed');
  expect(await epoch()).toBe(1);
  expect(await decide(admin.second, 'approve', number)).toBe('no-such-proposal');
});

test('every operator can withdraw it', async () => {
  const number = await propose();
  expect(await decide(admin.by.viewer, 'withdraw', number)).toBe('role-too-low');
  expect(await decide(admin.by.operator, 'withdraw', number)).toBe('withdrawn');
  expect(await epoch()).toBe(1);
  const { findings } = await auditLedger({ pool: site.pool, vault: site.vault, onProgress() {} });
  expect(findings.kept).toEqual([]);
});
