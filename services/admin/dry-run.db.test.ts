import { Findings } from '@reelbook/audit/findings';
import { recordFindings } from '@reelbook/audit/record-findings';
import { adminRoutes } from '@reelbook/contract/admin/routes';
import {
  API_BASE,
  DRY_RUN_PATH,
  FINGERPRINT_HEADER,
  POSITION_HEADER,
} from '@reelbook/contract/route';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { encode } from '@reelbook/ledger/codec';
import { WAIT_MS } from '@reelbook/ledger/proposals';
import { start } from '@reelbook/simulator/client/timed-play';
import { dieAt } from '@reelbook/simulator/faults/dying-cashier';
import type { AdminSite, TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { addExtraColumn, EXTRA_COLUMN } from '@reelbook/testing/extra-column';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AdminData, DryRun } from './answers.ts';

addExtraColumn();

/** Until the waiting period of a new role is over. */
const CONFIRM = { timeout: WAIT_MS.play + WAIT.timeout, interval: 200 };
/** Timed rounds stay open during the tests. */
const NEVER_MS = 3_600_000;

let bank: PaymentReview;
let site: PaymentReview['site'];
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  bank = await startPaymentReview({
    isPaying: false,
    sweep: { everyMs: 100, graceMs: NEVER_MS },
  });
  ({ site, admin } = bank);
  ann = admin.by.operator;
  bob = await admin.add('operator');
});
afterAll(() => bank?.close());

const reason = 'as agreed';
interface Answer<Data> {
  readonly status: number;
  readonly position: number;
  readonly data: Data & { readonly error?: string; readonly position?: number };
}

async function send<Data>(
  by: TestOperator,
  path: string,
  body: object,
  { method = 'POST', fingerprint = '' } = {},
): Promise<Answer<Data>> {
  const response = await fetch(`${admin.url}${API_BASE}/admin${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${by.token}`,
      ...(fingerprint ? { [FINGERPRINT_HEADER]: fingerprint } : {}),
    },
    body: JSON.stringify({ reason, ...body }),
  });
  const text = await response.text();
  expect(text).not.toContain(EXTRA_COLUMN);
  return {
    status: response.status,
    position: Number(response.headers.get(POSITION_HEADER)),
    data: (JSON.parse(text) as Answer<Data>).data,
  };
}

const head = async () => (await readHead(site.pool)).position;
/** An event without the times of its decision. */
const shown = (type: string, data: object) => [
  type,
  JSON.parse(encode(data), (key, value) => (/Ms$/.test(key) && value !== null ? 0 : value)),
];

const actions = Object.entries(adminRoutes).filter(([, route]) => 'headers' in route);
/** Names of the actions that a test compared with their dry runs. */
const compared = new Set<string>();
function nameOf(path: string, method: string): string | undefined {
  const isIt = (route: { readonly path: string; readonly method: string }) =>
    route.method === method && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path);
  return actions.find(([, route]) => isIt(route))?.[0];
}

/** Runs the action as a dry run, then for real. @returns the types of both, which are equal, and the response. */
async function act<Data>(by: TestOperator, path: string, body: object = {}, method = 'POST') {
  const before = await head();
  const dry = await send<DryRun>(by, path + DRY_RUN_PATH, body, { method });
  expect(dry).toMatchObject({ status: 200 });
  expect(await head()).toBe(before);
  const { events, fingerprint } = dry.data;
  const real = await send<Data>(by, path, body, { method, fingerprint });
  expect(real).toMatchObject({ status: 200 });
  expect(real.position).toBe(real.data.position);
  const appended = (await readLog(site.pool, { from: before + 1, limit: 20 })).filter(
    // Follows what was approved.
    ({ event }) => event.type !== 'Executed',
  );
  expect(events.map(({ type, data }) => shown(type, data as object))).toEqual(
    appended.map(({ event }) => shown(event.type, event.data)),
  );
  // Of the last event: a page that is refetched at this position has them all.
  expect(real.data.position).toBeGreaterThanOrEqual(appended.at(-1)?.position ?? 0);
  expect(real.data.position).toBeLessThanOrEqual(await head());
  compared.add(nameOf(path, method) ?? path);
  return { types: events.map(({ type }) => type), postings: events.at(-1)?.postings, ...real };
}

const points = (minor: string) => ({ amount: { asset: 'points', minor } });

test('a dry run of an action on a player returns the events that the action appends', async () => {
  const player = await site.login();
  const on = `/players/${player.wallet.address}`;
  const types = async (by: TestOperator, path: string, body: object = {}, method = 'POST') =>
    (await act(by, on + path, body, method)).types;
  expect(await types(ann, '/suspend')).toEqual(['PlayerSuspended']);
  const approve = (number: number) => act(bob, `/proposals/${number}/approve`);
  const back = await act<{ proposal: number }>(ann, `${on}/reinstate`);
  expect(back.types).toEqual(['Proposed']);
  expect((await approve(back.data.proposal)).types).toEqual(['Approved', 'PlayerReinstated']);
  expect(
    await types(ann, '/limits', { kind: 'loss', period: 'day', minor: '50000' }, 'PUT'),
  ).toEqual(['LimitSet']);
  expect(await types(ann, '/adjustments', points('1200'))).toEqual([
    'AllowanceUsed',
    'BalanceAdjusted',
  ]);
  // Above the limit of one operator, nothing moves.
  const proposed = await act<{ proposal: number }>(ann, `${on}/adjustments`, points('5000000'));
  expect([proposed.types, proposed.postings]).toEqual([['Proposed'], []]);
  const approved = await approve(proposed.data.proposal);
  expect([approved.types, approved.postings?.length]).toEqual([['Approved', 'BalanceAdjusted'], 2]);
  const { data } = await start(player, 'snake');
  expect(await types(ann, `/rounds/${data.round_id}/void`)).toEqual(['AllowanceUsed', 'BetVoided']);
  expect(await types(ann, '/notes', { note: 'called', reason: undefined })).toEqual([
    'PlayerNoted',
  ]);
  expect(await types(ann, '/exclusion', { term: '24h' })).toEqual(['SelfExcluded']);
});

test('a dry run of a decision on a payment returns the events that the decision appends', async () => {
  const cashier = await bank.startCashier();
  const player = await bank.player(5_000n * BSM);
  await bank.credit(player, 4_000n * BSM);
  const stranger = createWallet();
  await bank.chain.fund(3n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 3n * BSM);
  const seen = async () =>
    (await ann.call<AdminData<'deposits'>>('/admin/deposits?state=unmatched')).data.deposits;
  await bank.until(async () => expect(await seen()).toMatchObject([{ signature }]));
  const large = await bank.withdraw(player, 2_000);
  await bank.reaches(large, 'requested');
  // From here on, only operators append.
  await cashier.close();
  const withdrawal = `/withdrawals/${large}`;
  expect((await act(ann, `${withdrawal}/approve`)).types).toEqual(['WithdrawalApproved']);
  const denied = await act(bob, `${withdrawal}/deny`);
  expect(denied.types).toEqual(['WithdrawalDenied', 'WithdrawalReleased']);
  const resolve = `/unmatched-deposits/${signature}/resolve`;
  const to = `player:${player.wallet.address}`;
  const proposed = await act<{ proposal: number }>(ann, resolve, { to });
  expect([proposed.types, proposed.postings]).toEqual([['Proposed'], []]);
  const approve = `/proposals/${proposed.data.proposal}/approve`;
  expect((await act(bob, approve)).types).toEqual(['Approved', 'UnmatchedDepositResolved']);
  const signed = await bank.withdraw(player, 10);
  await dieAt(bank, 'sent');
  await vi.waitFor(async () => expect(await bank.statusOf(signed)).toBe('signed'), WAIT);
  const expired = await act(ann, `/withdrawals/${signed}/expired`, { block_height: 10 ** 9 });
  expect(expired.types).toEqual(['WithdrawalAttemptFailed']);
});

test('a dry run of a change of configuration or roles returns the events that the change appends', async () => {
  const { admin: one } = admin.by;
  const off = await act(ann, '/switches', { switch: 'exchange', on: false }, 'PUT');
  expect(off.types).toEqual(['ConfigChanged']);
  const on = await act<{ proposal: number }>(
    ...([ann, '/switches', { switch: 'exchange', on: true }, 'PUT'] as const),
  );
  expect(on.types).toEqual(['Proposed']);
  const path = `/proposals/${on.data.proposal}`;
  expect((await act(bob, `${path}/approve`)).types).toEqual(['Approved', 'ConfigChanged']);
  const operator = createWallet().address;
  const added = await act<{ proposal: number }>(one, '/operators', { operator, role: 'viewer' });
  expect(added.types).toEqual(['Proposed']);
  const role = `/proposals/${added.data.proposal}`;
  expect((await act(one, `${role}/withdraw`)).types).toEqual(['Withdrawn']);
  const second = await act<{ proposal: number }>(one, '/operators', { operator, role: 'viewer' });
  const confirm = `/proposals/${second.data.proposal}/approve`;
  await vi.waitFor(async () => {
    expect((await send(admin.second, confirm + DRY_RUN_PATH, {})).status).toBe(200);
  }, CONFIRM);
  expect((await act(admin.second, confirm)).types).toEqual(['Approved', 'OperatorAdded']);
  const names = `/operators/${ann.wallet.address}/name`;
  expect((await act(ann, names, { name: 'Ann' }, 'PUT')).types).toEqual(['OperatorNamed']);
  const address = (await admin.add('operator')).wallet.address;
  const lower = await act(one, `/operators/${address}/role`, { role: 'viewer' }, 'PUT');
  expect(lower.types).toEqual(['OperatorRoleChanged']);
  expect((await act(one, `/operators/${address}/revoke`)).types).toEqual(['OperatorRevoked']);
});

test('a dry run of an acceptance of a finding returns the event that it appends', async () => {
  const findings = new Findings();
  findings.add('treasury', null, 'a test');
  await recordFindings(site.pool, { events: await head(), headHash: '', findings });
  const { data } = await ann.call<AdminData<'findings'>>('/admin/findings');
  const path = `/findings/${data[0]?.finding}/accept`;
  expect((await act(ann, path)).types).toEqual(['FindingAcceptanceProposed']);
  expect((await act(bob, path)).types).toEqual(['FindingAccepted']);
});

test('an action whose dry run is outdated is refused and appends nothing', async () => {
  const player = await site.login();
  const path = `/players/${player.wallet.address}/adjustments`;
  const dry = () => send<DryRun>(ann, path + DRY_RUN_PATH, points('100'));
  const { fingerprint } = (await dry()).data;
  // A bet changes the balance, but not the movement that the adjustment appends.
  expect((await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } })).status).toBe(
    200,
  );
  expect((await dry()).data.fingerprint).toBe(fingerprint);
  expect((await send(ann, path, points('100'), { fingerprint })).status).toBe(200);
  const before = await head();
  const outdated = await send(ann, path, points('5000000'), { fingerprint });
  expect([outdated.status, outdated.data.error]).toEqual([409, 'preview-outdated']);
  expect(await head()).toBe(before);
});

test('a dry run of a void above the allowance returns the proposal that it appends', async () => {
  const { data: configured } = await ann.call<{ version: number }>('/admin/configuration');
  const { version } = configured;
  const changes = [{ path: 'adjust.operatorDayMaxPointsMinor', value: '0' }];
  const lower = await act(admin.by.admin, '/configuration', { version, changes }, 'PUT');
  expect(lower.types).toEqual(['ConfigChanged']);
  const player = await site.login();
  const { data } = await start(player, 'snake');
  const path = `/players/${player.wallet.address}/rounds/${data.round_id}/void`;
  const proposed = await act(ann, path);
  expect([proposed.types, proposed.postings]).toEqual([['Proposed'], []]);
});

test('a dry run is refused where its action is, and serves every action', async () => {
  const player = await site.login();
  const suspend = `/players/${player.wallet.address}/suspend${DRY_RUN_PATH}`;
  expect((await send(admin.by.viewer, suspend, {})).data.error).toBe('role-too-low');
  const reinstate = `/players/${player.wallet.address}/reinstate${DRY_RUN_PATH}`;
  expect((await send(ann, reinstate, {})).data.error).toBe('not-suspended');
  for (const [, { path, method, access }] of actions) {
    const { data } = await send(admin.by.viewer, `${path}${DRY_RUN_PATH}`, {}, { method });
    const expected = access === 'viewer' ? 'bad-input' : 'role-too-low';
    expect([path, data.error]).toEqual([path, expected]);
  }
});

test('every action was compared with its dry run', () => {
  expect([...compared].toSorted()).toEqual(actions.map(([name]) => name).toSorted());
});
