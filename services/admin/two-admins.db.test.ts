import { auditLedger } from '@reelbook/audit/audit';
import { PROPOSALS_MAX } from '@reelbook/ledger/proposals';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  [ann, bob] = [admin.by.admin, admin.second];
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const reason = 'larger limits';
interface Proposed {
  readonly proposal: number;
  readonly error?: string;
}
interface Open extends Proposed {
  readonly number: number;
  readonly subject: string;
  readonly by: string;
}
const values = async () => {
  const { data } = await ann.call<{ version: number; values: { path: string; text: string }[] }>(
    '/admin/configuration',
  );
  return { version: data.version, of: new Map(data.values.map(({ path, text }) => [path, text])) };
};
const change = async (by: TestOperator, changes: Readonly<Record<string, string>>) =>
  by.call<Proposed>('/admin/configuration', {
    method: 'PUT',
    body: {
      version: (await values()).version,
      changes: Object.entries(changes).map(([path, value]) => ({ path, value })),
      reason,
    },
  });
const decide = (by: TestOperator, what: string, number: number, subject = 'configuration') =>
  by.call<Proposed>(`/admin/proposals/${subject}/${number}/${what}`, {
    body: { reason: `${what} ${subject}` },
  });
const open = async (by: TestOperator) => (await by.call<Open[]>('/admin/proposals')).data;
const audited = async () => {
  const { findings } = await auditLedger({
    pool: site.pool,
    vault: site.vault,
    onProgress: () => {},
  });
  return findings.kept;
};

test('one admin alone raised the limits, adjusted 900,000 BSM and drained the treasury', async () => {
  const player = await site.login();
  const before = await values();
  const raised = await change(ann, {
    'adjust.singleOperatorMaxTokenMinor': '1000000000000000',
    'adjust.operatorDayMaxTokenMinor': '1000000000000000',
    'withdraw.automaticMaxTokenMinor': '1000000000000000',
  });
  expect(raised).toMatchObject({ status: 200, data: { proposal: expect.any(Number) } });
  const adjusted = await ann.call<{ status: string }>(
    `/admin/players/${player.wallet.address}/adjustments`,
    { body: { amount: { asset: 'token', minor: '900000000000000' }, reason } },
  );
  expect(adjusted.data.status).not.toBe('done');
  expect((await values()).of).toEqual(before.of);
  // The other way to two people: creating the second one.
  const { address } = createWallet();
  const own = await ann.call<Proposed>('/admin/operators', {
    body: { operator: address, role: 'admin', reason },
  });
  for (const [subject, { data }] of [
    ['configuration', raised],
    ['roles', own],
  ] as const) {
    expect((await decide(ann, 'confirm', data.proposal, subject)).data.error).toBe('proposal-own');
  }
  // Meanwhile every operator can see and stop it.
  expect(await open(admin.by.viewer)).toMatchObject([
    { subject: 'configuration', by: `operator:${ann.wallet.address}` },
    { subject: 'roles', role: { operator: address, before: null, after: 'admin' } },
  ]);
  const stop = (data: Proposed, subject: string) =>
    decide(admin.by.operator, 'withdraw', data.proposal, subject);
  expect((await stop(raised.data, 'configuration')).status).toBe(200);
  expect((await stop(own.data, 'roles')).status).toBe(200);
  expect((await decide(bob, 'confirm', raised.data.proposal)).data.error).toBe('no-such-proposal');
  expect(await open(bob)).toEqual([]);
});

test('one admin can apply stricter values immediately, but no change of a rate', async () => {
  expect((await change(ann, { 'withdraw.dayMaxTokenMinor': '1000' })).data.proposal).toBeNull();
  expect((await values()).of.get('withdraw.dayMaxTokenMinor')).toBe('1000');
  const rates = ['1/200', '1/101'].map((rate) => ({ 'exchange.pointsToToken': rate }));
  for (const changes of rates) {
    const { data } = await change(ann, changes);
    expect(data.proposal).toEqual(expect.any(Number));
    expect((await decide(bob, 'confirm', data.proposal)).data.error).toBe('proposal-waits');
    expect((await decide(bob, 'withdraw', data.proposal)).status).toBe(200);
  }
  expect((await values()).of.get('exchange.pointsToToken')).toBe('1/100');
});

test('one operator can switch off, two different ones switch on, without a wait', async () => {
  const turn = (by: TestOperator, on: boolean) =>
    by.call<Proposed>('/admin/switches', {
      method: 'PUT',
      body: { switch: 'withdrawals', on, reason },
    });
  const { operator, auditor } = admin.by;
  const other = await admin.add('operator');
  expect((await turn(operator, false)).data.proposal).toBeNull();
  const { proposal } = (await turn(operator, true)).data;
  expect((await decide(operator, 'confirm', proposal)).data.error).toBe('proposal-own');
  expect((await decide(auditor, 'confirm', proposal)).data.error).toBe('role-too-low');
  expect((await values()).of.get('withdraw.enabled')).toBe('false');
  expect((await decide(other, 'confirm', proposal)).data).toMatchObject({ proposal: null });
  expect((await values()).of.get('withdraw.enabled')).toBe('true');
});

describe('races', () => {
  const waited = async () => {
    const value = String(1_000_000_000_000_000n + BigInt((await values()).version));
    const { data } = await change(ann, { 'withdraw.hourMaxTokenMinor': value });
    return { number: data.proposal, value };
  };

  test('of two concurrent confirmations one succeeds; likewise of a confirmation and a withdrawal', async () => {
    const { number, value } = await waited();
    await admin.confirm('configuration', number);
    expect((await values()).of.get('withdraw.hourMaxTokenMinor')).toBe(value);
    expect((await decide(bob, 'confirm', number)).data.error).toBe('no-such-proposal');
    const turned = async () => {
      const body = { switch: 'exchange', reason };
      const turn = (on: boolean) =>
        ann.call<Proposed>('/admin/switches', { method: 'PUT', body: { ...body, on } });
      await turn(false);
      return (await turn(true)).data.proposal;
    };
    const both = await turned();
    const twice = await Promise.all(
      [bob, admin.by.operator].map((by) => decide(by, 'confirm', both)),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 404]);
    const contested = await turned();
    const answers = await Promise.all([
      decide(bob, 'confirm', contested),
      decide(admin.by.operator, 'withdraw', contested),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const isOn = (await values()).of.get('exchange.enabled');
    expect(isOn).toBe(String(answers[0]?.status === 200));
  });

  test('a key confirms once; another proposal with the same key is refused', async () => {
    const { number } = await waited();
    const call = (path: string) => bob.call<Proposed>(path, { body: { reason }, key: 'one-key' });
    const path = `/admin/proposals/configuration/${number}/withdraw`;
    const [one, again] = [await call(path), await call(path)];
    expect(again.data).toEqual(one.data);
    expect((await call(path.replace('withdraw', 'confirm'))).status).toBe(422);
  });
});

test('the number of open proposals is limited', async () => {
  const propose = () => change(ann, { 'withdraw.hourMaxTokenMinor': '999999999999999999' });
  for (let n = 0; n < PROPOSALS_MAX; n++) expect((await propose()).status).toBe(200);
  expect((await propose()).data.error).toBe('proposals-too-many');
  for (const { number } of await open(bob)) await decide(bob, 'withdraw', number);
  expect((await propose()).status).toBe(200);
});

test('an admin who revoked the other one could act alone', async () => {
  const { data } = await change(bob, { 'withdraw.feeRate': '1/100' });
  const raise = await bob.call<Proposed>(
    `/admin/operators/${admin.by.auditor.wallet.address}/role`,
    {
      method: 'PUT',
      body: { role: 'admin', reason },
    },
  );
  const revoked = await ann.call(`/admin/operators/${bob.wallet.address}/revoke`, {
    body: { reason },
  });
  expect(revoked.status).toBe(200);
  // The approval of a revoked admin is void: a confirmation is the first of two again.
  for (const [subject, number] of [
    ['configuration', data.proposal],
    ['roles', raise.data.proposal],
  ] as const) {
    expect((await decide(ann, 'confirm', number, subject)).data).toMatchObject({
      proposal: number,
    });
    expect((await decide(ann, 'confirm', number, subject)).data.error).toBe('proposal-own');
    await untilCaughtUp(site.pool);
    const approved = (await open(ann)).find((one) => one.number === number);
    expect(approved).toMatchObject({
      approvals: [{ by: `operator:${ann.wallet.address}`, reason: `confirm ${subject}` }],
    });
  }
  const last = await ann.call<Proposed>(`/admin/operators/${ann.wallet.address}/revoke`, {
    body: { reason },
  });
  expect(last.data.error).toBe('operator-last-admin');
  expect(await audited()).toEqual([]);
});
