import { DRY_RUN_PATH } from '@reelbook/contract/route';
import { deciders } from '@reelbook/ledger/deciders';
import { parseStream, playerStream } from '@reelbook/ledger/streams';
import { measureSolvency } from '@reelbook/payments/metrics';
import { start as startRound } from '@reelbook/simulator/client/timed-play';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';
import { openAdminMetrics } from './context.ts';

let bank: PaymentReview;
let ann: TestOperator;
let bob: TestOperator;
let tom: TestPlayer;
let eve: TestPlayer;
beforeAll(async () => {
  // A round stays open.
  bank = await startPaymentReview({ sweep: { everyMs: 1_000, graceMs: 3_600_000 } });
  ann = bank.admin.by.operator;
  bob = await bank.admin.add('operator');
  [tom, eve] = [await fund(), await fund()];
  await tom.call('/user/profile', { method: 'PUT', body: { nickname: 'Tom' } });
});
afterAll(() => bank.close());

const reason = 'looked into it';

async function fund(): Promise<TestPlayer> {
  const player = await bank.player(500n * BSM);
  await bank.credit(player, 100n * BSM);
  return player;
}

/** As a superuser. @returns what repairs the row: a state of an earlier schema is folded again. */
async function forgeState(stream: string, from: RegExp, to: string): Promise<() => Promise<void>> {
  const owner = bank.site.database.pool('owner', 1);
  const write = async (assignment: string, value: unknown) => {
    await owner.query("set session_replication_role = 'replica'");
    await owner.query(`update streams set ${assignment} where name = $1`, [stream, value]);
    await owner.query("set session_replication_role = 'origin'");
  };
  const { rows } = await owner.query<{ state: string }>(
    'select state::text as state from streams where name = $1',
    [stream],
  );
  const state = rows[0]?.state ?? '';
  expect(state).toMatch(from);
  const { stateSchema } = deciders[parseStream(stream).kind];
  await write(`state_schema = ${stateSchema}, state = $2`, state.replace(from, to));
  return () => write('state_schema = $2', 1);
}

const raise = (player: TestPlayer) =>
  forgeState(
    playerStream(player.wallet.address),
    /"tokenMinor":"\d+"/,
    '"tokenMinor":"900000000000"',
  );

async function audit(): Promise<AdminData<'job'>['audit']> {
  const begun = await bank.admin.by.auditor.call<AdminData<'job'>>('/admin/jobs/audit', {
    body: {},
  });
  let job = begun.data;
  await bank.until(async () => {
    job = (await ann.call<AdminData<'job'>>(`/admin/jobs/${begun.data.id}`)).data;
    expect(job.state).toBe('done');
  });
  return job.audit;
}

const findings = async () => (await ann.call<AdminData<'findings'>>('/admin/findings')).data;

const accept = (by: TestOperator, finding: string) =>
  by.call<{ status?: string; error?: string }>(`/admin/findings/${finding}/accept`, {
    body: { reason },
  });

/** What Prometheus alerts on, by the last label or by name. */
async function metrics(): Promise<Readonly<Record<string, string | undefined>>> {
  const { registry } = openAdminMetrics(bank.site.pool);
  measureSolvency(registry, bank.site.pool);
  const lines = (await registry.metrics()).split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, label, value] =
        /^(\w+)\{(?:.*?(?:reason|result)="([^"]+)")?.*\} (\S+)$/.exec(line) ?? [];
      return name ? [[label ?? name, value]] : [];
    }),
  );
}

const shown = async (id: string) =>
  (await ann.call<AdminData<'withdrawal'>>(`/admin/withdrawals/${id}`)).data;

const isHeld = (id: string) =>
  bank.until(async () => expect((await shown(id)).hold?.code).toBe('open-finding'));

async function eventsOf(type: string): Promise<number> {
  const { rows } = await bank.site.pool.query<{ count: number }>(
    'select count(*)::int as count from events where type = $1',
    [type],
  );
  return rows[0]?.count ?? 0;
}

async function acceptAll(): Promise<void> {
  for (const { finding } of await findings()) {
    expect((await accept(ann, finding)).data.status).toBe('waiting');
    expect((await accept(bob, finding)).data.status).toBe('done');
  }
}

test('a forged balance that an audit found holds the payments of its player, until two operators accept it', async () => {
  const restore = await raise(tom);
  expect(await audit()).toMatchObject({ verdict: 'FAULTY', findings: 1 });
  await restore();
  const open = await findings();
  const subject = `player:${tom.wallet.address}`;
  const first = { nickname: 'Tom', proposed_by: null, proposed_reason: null };
  expect(open).toMatchObject([{ subject, check: 'streams', position: null, ...first }]);
  const finding = open[0]?.finding ?? '';
  expect(await metrics()).toMatchObject({ reelbook_open_findings: '1', findings: '1' });

  // The row is back, and the next audit is clean: the finding stays.
  expect(await audit()).toMatchObject({ clean: true });
  expect(await metrics()).toMatchObject({ reelbook_open_findings: '1', incomplete: '1' });
  const held = await bank.withdraw(tom, 5);
  const free = await bank.withdraw(eve, 5);
  await bank.reaches(free, 'finalized');
  await isHeld(held);
  await bank.until(async () => expect(await metrics()).toMatchObject({ 'open-finding': '1' }));
  const { risks, status } = await shown(held);
  expect(status).toBe('requested');
  expect(risks[0]).toMatchObject({ code: 'open-finding', weight: 2, facts: { count: 1 } });
  expect((await shown(free)).risks.map(({ code }) => code)).not.toContain('open-finding');

  // Operators can pay it all the same.
  const other = await bank.withdraw(tom, 5);
  await bank.reaches(other, 'requested');
  for (const by of [ann, bob]) {
    const approved = await by.call(`/admin/withdrawals/${other}/approve`, { body: { reason } });
    expect(approved.status, approved.message).toBe(200);
  }
  await bank.reaches(other, 'finalized');

  expect((await accept(bank.admin.by.viewer, finding)).data.error).toBe('role-too-low');
  expect((await accept(ann, finding)).data.status).toBe('waiting');
  expect((await accept(ann, finding)).data.error).toBe('proposal-own');
  const proposed = { proposed_by: `operator:${ann.wallet.address}`, proposed_reason: reason };
  expect(await findings()).toMatchObject([proposed]);
  await isHeld(held);
  expect((await accept(bob, finding)).data.status).toBe('done');
  expect((await accept(bob, finding)).data.error).toBe('no-such-finding');
  expect(await findings()).toEqual([]);
  await bank.reaches(held, 'finalized');
});

test('a second audit records nothing new, and a state that is forged again is open again', async () => {
  const restore = await raise(tom);
  const before = await eventsOf('FindingsRecorded');
  await audit();
  await audit();
  expect(await eventsOf('FindingsRecorded')).toBe(before + 1);
  await restore();
  await acceptAll();
  const again = await raise(tom);
  await audit();
  await again();
  expect(await eventsOf('FindingsRecorded')).toBe(before + 2);
  await acceptAll();
});

test('the acceptance of one forged state does not count for the next one', async () => {
  const restore = await raise(eve);
  await audit();
  await restore();
  const [{ finding = '' } = {}] = await findings();
  expect((await accept(ann, finding)).data.status).toBe('waiting');
  // No acceptance of a finding that is found again.
  const again = await forgeState(
    playerStream(eve.wallet.address),
    /"tokenMinor":"\d+"/,
    '"tokenMinor":"123456"',
  );
  await audit();
  expect(await findings()).toMatchObject([{ finding, proposed_by: null, proposed_reason: null }]);
  expect((await accept(bob, finding)).data.status).toBe('waiting');
  const before = await eventsOf('FindingsRecorded');
  await again();
  expect(await audit()).toMatchObject({ clean: true });
  expect(await eventsOf('FindingsRecorded')).toBe(before);
  expect((await accept(ann, finding)).data.status).toBe('done');
});

test.each([
  ['marked as dust', `kind = 'dust'`, `kind = 'deposit'`],
  ['of another amount', 'delta = delta + 1', 'delta = delta - 1'],
  ['of another account', 'signature = reverse(signature)', 'signature = reverse(signature)'],
])(
  'a movement that is %s again after its finding was accepted is a finding again',
  async (_what, set, back) => {
    const player = await fund();
    const { rows } = await bank.site.pool.query<{ signature: string }>(
      `select body->'data'->>'signature' as signature from events
      where type = 'DepositCredited' and stream = stream_key($1)`,
      [playerStream(player.wallet.address)],
    );
    const update = async (how: string) => {
      const { rowCount } = await bank.site.database
        .pool('owner', 1)
        .query(`update treasury_movements set ${how} where signature in ($1, reverse($1))`, [
          rows[0]?.signature,
        ]);
      expect(rowCount).toBe(1);
    };
    for (const _ of [1, 2]) {
      await update(set);
      expect((await audit())?.verdict).toBe('FAULTY');
      const subject = `player:${player.wallet.address}`;
      expect(await findings()).toContainEqual(
        expect.objectContaining({ subject, check: 'payments', position: null }),
      );
      await update(back);
      await acceptAll();
      expect(await audit()).toMatchObject({ clean: true });
      expect(await findings()).toEqual([]);
    }
  },
);

test('a finding about the treasury or about no single player holds every automatic payment', async () => {
  for (const [stream, from, to, subject] of [
    ['treasury', /"netDepositsMinor":"\d+"/, '"netDepositsMinor":"1"', 'treasury'],
    ['operators', /"adminsEver":2/, '"adminsEver":0', 'ledger'],
  ] as const) {
    const restore = await forgeState(stream, from, to);
    await audit();
    await restore();
    expect((await findings()).map((one) => one.subject)).toEqual([subject]);
    const id = await bank.withdraw(eve, 5);
    await isHeld(id);
    await acceptAll();
    await bank.reaches(id, 'finalized');
  }
});

test('a row of a read model that differs holds every automatic payment until it is accepted', async () => {
  const owner = bank.site.database.pool('owner', 1);
  const set = (minor: string) =>
    owner.query('update projections.balances_v1 set points = points + $1 where wallet = $2', [
      minor,
      eve.wallet.address,
    ]);
  await set('1');
  expect((await audit())?.first?.check).toBe('projections');
  await set('-1');
  expect((await findings()).map((one) => one.subject)).toEqual(['ledger']);
  const id = await bank.withdraw(tom, 5);
  await isHeld(id);
  await acceptAll();
  await bank.reaches(id, 'finalized');
});

test('a withdrawal that the cashier approved before the audit is not signed after it', async () => {
  const { version } = (await ann.call<AdminData<'configuration'>>('/admin/configuration')).data;
  const changes = [{ path: 'withdraw.lowWaterLamports', value: `${9 * 10 ** 14}` }];
  const body = { version, changes, reason };
  const raised = await bank.admin.by.admin.call('/admin/configuration', { method: 'PUT', body });
  expect(raised.status, raised.message).toBe(200);
  const id = await bank.withdraw(eve, 5);
  await bank.reaches(id, 'approved');
  const waits = (code: string) =>
    bank.until(async () => expect((await shown(id)).hold?.code).toBe(code));
  await waits('treasury-low-on-sol');
  const restore = await raise(eve);
  await audit();
  await restore();
  await waits('open-finding');
  await acceptAll();
  await waits('treasury-low-on-sol');
});

test('no act of an operator is previewed or executed on a stored state that differs from its events', async () => {
  await bank.until(async () => expect(await findings()).toEqual([]));
  const off = { switch: 'withdrawals', on: false, reason };
  expect((await ann.call('/admin/switches', { method: 'PUT', body: off })).status).toBe(200);
  const id = await bank.withdraw(tom, 5);
  await bank.reaches(id, 'requested');
  const { round_id: round } = (await startRound(tom, 'tetris')).data;
  const player = `/admin/players/${tom.wallet.address}`;
  const large = { amount: { asset: 'token', minor: '90000000000' }, reason };
  const proposed = await bob.call<{ proposal: number }>(`${player}/adjustments`, { body: large });
  const proposal = `/admin/proposals/${proposed.data.proposal}`;
  const detail = async () => (await ann.call<AdminData<'player'>>(player)).data;
  expect((await detail()).stored_differs).toEqual([]);
  const restore = await raise(tom);
  expect(await detail()).toMatchObject({
    stored_differs: [{ path: ['state', 'tokenMinor'], after: '900000000000' }],
  });
  const own = (await detail()).balances.find(({ asset }) => asset === 'token');
  expect(own?.minor).not.toBe('900000000000');

  const acts: readonly (readonly [string, object, 'PUT'?])[] = [
    [`${player}/adjustments`, { amount: { asset: 'token', minor: '100' }, reason }],
    [`${proposal}/approve`, { reason }],
    [`${player}/suspend`, { reason }],
    [`${player}/reinstate`, { reason }],
    [`${player}/notes`, { note: reason }],
    [`${player}/limits`, { kind: 'loss', period: 'day', minor: '100', reason }, 'PUT'],
    [`${player}/exclusion`, { term: '24h', reason }],
    [`${player}/rounds/${round}/void`, { reason }],
    [`/admin/withdrawals/${id}/approve`, { reason }],
    [`/admin/withdrawals/${id}/deny`, { reason }],
    [`/admin/withdrawals/${id}/expired`, { block_height: 9, reason }],
  ];
  // Without what the cashier and the auditor append meanwhile.
  const versions = async () =>
    (
      await bank.site.pool.query(
        "select sum(version)::int from streams where name not in ('treasury', 'seals')",
      )
    ).rows[0].sum;
  const refused = async (
    by: TestOperator,
    list: readonly (readonly [string, object, 'PUT'?])[],
  ) => {
    const before = await versions();
    expect(before).toBeGreaterThan(0);
    for (const [path, body, method = 'POST'] of list) {
      for (const dry of ['', DRY_RUN_PATH]) {
        const { status, data } = await by.call<{ error?: string }>(`${path}${dry}`, {
          method,
          body,
        });
        expect([path, dry, status, data.error]).toEqual([path, dry, 409, 'state-differs']);
      }
    }
    expect(await versions()).toBe(before);
  };
  await refused(ann, acts);
  await restore();
  expect((await ann.call(`${player}/suspend`, { body: { reason } })).status).toBe(200);

  const stranger = await bank.chain.fund(3n * BSM);
  const signature = await bank.chain.deposit(stranger, 3n * BSM);
  await bank.until(async () => {
    const { inFlightMinor, unmatchedMinor } = await bank.solvency();
    expect([inFlightMinor, unmatchedMinor]).toEqual([0n, 3n * BSM]);
  });
  const restoreTreasury = await forgeState('treasury', /"count":1/, '"count":9');
  const resolve = `/admin/unmatched-deposits/${signature}/resolve`;
  await refused(ann, [
    [resolve, { to: 'house', reason }],
    [resolve, { to: `player:${eve.wallet.address}`, reason }],
  ]);
  await restoreTreasury();
  expect((await ann.call(resolve, { body: { to: 'house', reason } })).status).toBe(200);

  const restoreConfig = await forgeState('config', /"minTokenMinor":"\d+"/, '"minTokenMinor":"1"');
  const changes = [{ path: 'withdraw.minTokenMinor', value: '2' }];
  await refused(bank.admin.by.admin, [
    ['/admin/switches', { switch: 'game:snake', on: false, reason }, 'PUT'],
    ['/admin/configuration', { version: 1, changes, reason }, 'PUT'],
  ]);
  const preview = await ann.call<{ error?: string }>('/admin/configuration/preview', {
    body: { changes },
  });
  expect(preview.data.error).toBe('state-differs');
  await restoreConfig();

  const { address } = bank.admin.by.viewer.wallet;
  const restoreRoles = await forgeState(
    'operators',
    new RegExp(`"${address}":"viewer"`),
    `"${address}":"admin"`,
  );
  // The role of a request comes from the events.
  const raised = await bank.admin.by.viewer.call<{ error?: string }>('/admin/switches', {
    method: 'PUT',
    body: off,
  });
  expect(raised.data.error).toMatch(/role-too-low|state-differs/);
  await refused(bank.admin.by.admin, [
    [`/admin/operators/${address}/revoke`, { reason }],
    [`/admin/operators/${address}/role`, { role: 'auditor', reason }, 'PUT'],
    [`/admin/operators/${address}/name`, { name: 'Vera', reason }, 'PUT'],
  ]);
  await restoreRoles();
});
