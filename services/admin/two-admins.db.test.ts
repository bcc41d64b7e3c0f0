import { randomBytes } from 'node:crypto';
import { auditLedger } from '@reelbook/audit/audit';
import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { games } from '@reelbook/games/rules';
import { PROPOSAL_RULES } from '@reelbook/ledger/proposals';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { createDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator } from '@reelbook/testing/operators';
import { observeTreasury } from '@reelbook/testing/treasury';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeConfig, rulesOf } from './change-config.ts';

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
  readonly kind: string;
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
const decide = (by: TestOperator, what: string, number: number) =>
  by.call<Proposed & { readonly status: string }>(`/admin/proposals/${number}/${what}`, {
    body: { reason: `${what} ${number}` },
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
  await player.call('/user/profile', { method: 'PUT', body: { nickname: 'Vixen' } });
  await untilCaughtUp(site.pool);
  await observeTreasury(site.pool, 900_000_000_000_000n);
  const before = await values();
  const raised = await change(ann, {
    'adjust.singleOperatorMaxTokenMinor': '1000000000000000',
    'adjust.operatorDayMaxTokenMinor': '1000000000000000',
    'withdraw.automaticMaxTokenMinor': '1000000000000000',
  });
  expect(raised).toMatchObject({ status: 200, data: { proposal: expect.any(Number) } });
  const adjusted = await ann.call<Proposed>(`/admin/players/${player.wallet.address}/adjustments`, {
    body: { amount: { asset: 'token', minor: '900000000000000' }, reason },
  });
  expect(adjusted.data.proposal).toEqual(expect.any(Number));
  expect((await values()).of).toEqual(before.of);
  // The other way to two people: creating the second one.
  const { address } = createWallet();
  const own = await ann.call<Proposed>('/admin/operators', {
    body: { operator: address, role: 'admin', reason },
  });
  for (const { data } of [raised, adjusted, own]) {
    expect((await decide(ann, 'approve', data.proposal)).data.error).toBe('proposal-own');
  }
  // Meanwhile every operator can see and stop it.
  expect(await open(admin.by.viewer)).toMatchObject([
    { kind: 'configuration', by: `operator:${ann.wallet.address}` },
    { kind: 'adjustment', player: { wallet: player.wallet.address, nickname: 'Vixen' } },
    { kind: 'role', effect: { type: 'OperatorAdded', facts: { operator: { name: address } } } },
  ]);
  for (const { data } of [raised, adjusted, own]) {
    expect((await decide(admin.by.operator, 'withdraw', data.proposal)).status).toBe(200);
  }
  expect((await decide(bob, 'approve', raised.data.proposal)).data.error).toBe('no-such-proposal');
  expect(await open(bob)).toEqual([]);
});

test('one admin can apply stricter values immediately, but no change of a rate', async () => {
  expect((await change(ann, { 'withdraw.dayMaxTokenMinor': '1000' })).data.proposal).toBeNull();
  expect((await values()).of.get('withdraw.dayMaxTokenMinor')).toBe('1000');
  const rates = ['1/200', '1/101'].map((rate) => ({ 'exchange.pointsToToken': rate }));
  for (const changes of rates) {
    const { data } = await change(ann, changes);
    expect(data.proposal).toEqual(expect.any(Number));
    expect((await decide(bob, 'approve', data.proposal)).data.error).toBe('proposal-waits');
    expect((await decide(bob, 'withdraw', data.proposal)).status).toBe(200);
  }
  expect((await values()).of.get('exchange.pointsToToken')).toBe('1/100');
});

const turn = (by: TestOperator, on: boolean, name = 'withdrawals') =>
  by.call<Proposed>('/admin/switches', { method: 'PUT', body: { switch: name, on, reason } });

test('one operator can switch off, two different ones switch on, without a wait', async () => {
  const { operator, auditor } = admin.by;
  const other = await admin.add('operator');
  expect((await turn(operator, false)).data.proposal).toBeNull();
  const { proposal } = (await turn(operator, true)).data;
  expect((await decide(operator, 'approve', proposal)).data.error).toBe('proposal-own');
  expect((await decide(auditor, 'approve', proposal)).data.error).toBe('role-too-low');
  // Otherwise one operator alone could keep withdrawals off.
  expect((await decide(operator, 'withdraw', proposal)).data.error).toBe('proposal-needs-role');
  expect((await values()).of.get('withdraw.enabled')).toBe('false');
  expect((await decide(other, 'approve', proposal)).data).toMatchObject({ status: 'executed' });
  expect((await values()).of.get('withdraw.enabled')).toBe('true');
});

test('what two people switched off is switched on by two after the wait', async () => {
  const on = (await values()).of;
  const off = await change(ann, { 'exchange.enabled': 'false', 'withdraw.feeRate': '4/100' });
  await admin.approve(off.data.proposal);
  expect((await values()).of.get('exchange.enabled')).toBe('false');
  const { operator } = admin.by;
  const { proposal } = (await turn(operator, true, 'exchange')).data;
  expect((await decide(bob, 'approve', proposal)).data.error).toBe('proposal-waits');
  await admin.approve(proposal);
  expect((await values()).of.get('exchange.enabled')).toBe('true');
  const back = await change(ann, { 'withdraw.feeRate': on.get('withdraw.feeRate') ?? '' });
  await admin.approve(back.data.proposal);
  expect((await values()).of).toEqual(on);
});

const isGone = (status: number) => status === 404 || status === 409;

describe('races', () => {
  const waited = async () => {
    const value = String(1_000_000_000_000_000n + BigInt((await values()).version));
    const { data } = await change(ann, { 'withdraw.hourMaxTokenMinor': value });
    return { number: data.proposal, value };
  };

  test('of two concurrent approvals one succeeds; likewise of an approval and a withdrawal', async () => {
    const { number, value } = await waited();
    await admin.approve(number);
    expect((await values()).of.get('withdraw.hourMaxTokenMinor')).toBe(value);
    expect((await decide(bob, 'approve', number)).data.error).toBe('no-such-proposal');
    const turned = async () => {
      await turn(ann, false, 'exchange');
      return (await turn(ann, true, 'exchange')).data.proposal;
    };
    const both = await turned();
    const twice = await Promise.all(
      [bob, admin.by.operator].map((by) => decide(by, 'approve', both)),
    );
    // The other one finds it approved, or executed.
    expect(twice.map(({ status }) => status).sort()).toEqual([200, expect.toSatisfy(isGone)]);
    const contested = await turned();
    const answers = await Promise.all([
      decide(bob, 'approve', contested),
      decide(ann, 'withdraw', contested),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.toSatisfy(isGone)]);
    const isOn = (await values()).of.get('exchange.enabled');
    expect(isOn).toBe(String(answers[0]?.status === 200));
  });

  test('a key withdraws once; another proposal with the same key is refused', async () => {
    const { number } = await waited();
    const call = (path: string) => bob.call<Proposed>(path, { body: { reason }, key: 'one-key' });
    const path = `/admin/proposals/${number}/withdraw`;
    const [one, again] = [await call(path), await call(path)];
    expect(again.data).toEqual(one.data);
    expect((await call(path.replace('withdraw', 'approve'))).status).toBe(422);
  });
});

test('junk of one admin blocks no other one', async () => {
  const { perProposer } = PROPOSAL_RULES.configuration;
  const propose = (by: TestOperator, n: number) =>
    change(by, { 'withdraw.hourMaxTokenMinor': `${999_999_999_999_999_000n + BigInt(n)}` });
  const left = (await open(bob)).filter(({ by }) => by === `operator:${ann.wallet.address}`);
  for (const { number } of left) await decide(bob, 'withdraw', number);
  for (let n = 0; n < perProposer; n++) expect((await propose(ann, n)).status).toBe(200);
  expect((await propose(ann, perProposer)).data.error).toBe('proposals-too-many');
  expect((await propose(bob, perProposer)).status).toBe(200);
  expect((await propose(ann, 0)).data.error).toBe('proposals-too-many');
  for (const { number } of await open(bob)) await decide(bob, 'withdraw', number);
});

test('one admin alone stopped payments and play by tighter values, and any operator the way back', async () => {
  const before = (await values()).of;
  const tighter = {
    'withdraw.minTokenMinor': '1000000000000',
    'withdraw.lowWaterLamports': '900000000000000',
    'games.slot-machine.maxStakeMinor': before.get('games.slot-machine.minStakeMinor') ?? '',
  };
  expect((await change(ann, tighter)).data.proposal).toBeNull();
  const back = Object.fromEntries(
    Object.keys(tighter).map((path) => [path, before.get(path) ?? '']),
  );
  const { proposal } = (await change(bob, back)).data;
  const stop = await decide(admin.by.operator, 'withdraw', proposal);
  expect([stop.status, stop.data.error]).toEqual([403, 'proposal-needs-role']);
  // At once: no waiting period.
  expect((await decide(ann, 'approve', proposal)).data.status).toBe('executed');
  expect((await values()).of).toEqual(before);
});

test('a player suspended for fraud was reinstated by one operator', async () => {
  const player = await site.login();
  const path = `/admin/players/${player.wallet.address}`;
  const [{ operator }, other] = [admin.by, await admin.add('operator')];
  expect((await operator.call(`${path}/suspend`, { body: { reason } })).status).toBe(200);
  const bet = () => player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  const { data } = await other.call<Proposed>(`${path}/reinstate`, { body: { reason } });
  expect(data.proposal).toEqual(expect.any(Number));
  expect((await bet()).status).toBe(403);
  expect((await decide(other, 'approve', data.proposal)).data.error).toBe('proposal-own');
  expect((await decide(operator, 'approve', data.proposal)).data.status).toBe('executed');
  expect((await bet()).status).toBe(200);
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
  for (const number of [data.proposal, raise.data.proposal]) {
    expect((await decide(ann, 'approve', number)).data.status).toBe('waiting');
    expect((await decide(ann, 'approve', number)).data.error).toBe('proposal-own');
    const approved = (await open(ann)).find((one) => one.number === number);
    expect(approved).toMatchObject({
      approvals: [{ by: `operator:${ann.wallet.address}`, reason: `approve ${number}` }],
    });
  }
  const last = await ann.call<Proposed>(`/admin/operators/${ann.wallet.address}/revoke`, {
    body: { reason },
  });
  expect(last.data.error).toBe('operator-last-admin');
  expect(await audited()).toEqual([]);
});

test('a shell command that began before there were two admins loosened a limit alone after it', async () => {
  const own = await createDatabase();
  const pool = own.pool('app');
  const executor = startExecutor({ pool, fromEvents: true });
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  await createPlayers({ executor, vault }).configure();
  await addOperator(pool, createWallet().address, 'admin');
  let isSlow = true;
  const slow: typeof executor = {
    ...executor,
    execute: (execution) =>
      executor.execute({
        ...execution,
        async prepare(state) {
          const prepared = await execution.prepare(state);
          if (isSlow) await addOperator(pool, createWallet().address, 'admin');
          isSlow = false;
          return prepared;
        },
      }),
  };
  const edit = {
    ...{ changes: [{ path: 'withdraw.dayMaxTokenMinor', value: '999999999999999' }], reason },
    ...{ actor: 'system:config-command', correlation: 'test', idempotencyKey: 'test:config' },
    ...{ request: null, version: null, mayWelcome: true },
  };
  const shell = { pool, executor: slow, clock: openClock(pool), knownRules: rulesOf(games) };
  expect(await changeConfig(shell, edit)).toMatchObject({ proposal: expect.any(Number) });
  const { findings } = await auditLedger({ pool, vault: null, onProgress() {} });
  expect(findings.kept.filter(({ check }) => check === 'operators')).toEqual([]);
  await executor.close();
  await own.drop();
});
