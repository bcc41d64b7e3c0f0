import { auditLedger } from '@reelbook/audit/audit';
import { API_BASE, DRY_RUN_PATH, FINGERPRINT_HEADER } from '@reelbook/contract/route';
import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import { foldedState } from '@reelbook/event-store/read-stream';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { RESTORED_COMMAND, restoresOf } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { propose as proposeOn, restoreLedger } from '@reelbook/payments/approvals';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin } from './admin.ts';

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
      needs: { role: 'admin', people: 2, able: 0 },
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

test('only an admin can withdraw it, because payments wait for it', async () => {
  const number = await propose();
  const { data: open } = await admin.by.viewer.call('/admin/proposals');
  expect(open).toMatchObject([{ number, withdrawal_role: 'admin' }]);
  expect(await decide(admin.by.viewer, 'withdraw', number)).toBe('role-too-low');
  expect(await decide(admin.by.operator, 'withdraw', number)).toBe('proposal-needs-role');
  expect(await decide(admin.by.admin, 'withdraw', number)).toBe('withdrawn');
  expect(await epoch()).toBe(1);
  const { findings } = await auditLedger({ pool: site.pool, vault: site.vault, onProgress() {} });
  expect(findings.kept).toEqual([]);
});

test('an approval was of another proposal, with the number of one that the ledger lost', async () => {
  const [ann, bob] = [admin.by.operator, await admin.add('operator')];
  const target = playerStream((await site.login()).wallet.address);
  const adjust = async (pool: pg.Pool, deltaMinor: bigint) => {
    const executor = startExecutor({ pool, fromEvents: true });
    const own = { pool, executor, clock: openClock(pool), knownRules: {} };
    const command = { asset: 'points', deltaMinor } as const;
    const act = { by: `operator:${ann.wallet.address}`, reason: 'a test', correlation: 'test' };
    const proposed = { kind: 'adjustment', target, command } as const;
    const done = await proposeOn(own, proposed, { ...act, idempotencyKey: null, request: null });
    await executor.close();
    return done.kind === 'done' ? done.version : 0;
  };
  const approve = async (url: string, number: number, end = '', fingerprint?: string) => {
    const response = await fetch(`${url}${API_BASE}/admin/proposals/${number}/approve${end}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${bob.token}`,
        ...(fingerprint && { [FINGERPRINT_HEADER]: fingerprint }),
      },
      body: JSON.stringify({ reason: 'I saw it' }),
    });
    const { data } = (await response.json()) as {
      data: { fingerprint?: string; error?: string; status?: string };
    };
    return data;
  };
  const kept = await site.database.keepCopy();
  const lost = await adjust(site.pool, 5_000_000n);
  const { fingerprint } = await approve(admin.url, lost, DRY_RUN_PATH);
  await admin.close();
  await kept.goBack();
  // Another process: one that knows the lost events does not continue.
  const pool = site.database.pool('app');
  const number = await adjust(pool, 900_000_000n);
  expect(number).toBe(lost);
  admin = { ...admin, ...(await restartAdmin(pool)) };
  const before = await readHead(pool);
  expect(await approve(admin.url, number, '', fingerprint)).toMatchObject({
    error: 'preview-outdated',
  });
  expect(await readHead(pool)).toEqual(before);
  const seen = await approve(admin.url, number, DRY_RUN_PATH);
  expect(await approve(admin.url, number, '', seen.fingerprint)).toMatchObject({
    status: 'executed',
  });
});

function restartAdmin(pool: pg.Pool) {
  const { bus, log, sessionKey, vault } = site;
  const settings = { host: '127.0.0.1', port: 0, sessionKey, localChain: true, webRoot: null };
  const chain = { urls: null, wallets: null, accepted: [], folder: null };
  const work = { databaseUrl: site.database.url, chain };
  return startAdmin({ pool, bus, log, settings, vault, work });
}
