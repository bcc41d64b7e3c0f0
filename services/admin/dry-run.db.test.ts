import type { DryRun } from '@reelbook/contract/admin/dry-run';
import { adminRoutes } from '@reelbook/contract/admin/routes';
import { API_BASE, DRY_RUN_PATH, FINGERPRINT_HEADER } from '@reelbook/contract/paths';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { encode } from '@reelbook/ledger/codec';
import { start } from '@reelbook/simulator/client/timed-play';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  // A timed round stays open during the test.
  site = await startSite({ gameTickMs: 60_000 });
  admin = await startAdminSite(site);
  ann = admin.by.operator;
  bob = await admin.add('operator');
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const reason = 'as agreed';
interface Answer<Data> {
  readonly status: number;
  readonly data: Data & { readonly error?: string };
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
  return { status: response.status, data: ((await response.json()) as Answer<Data>).data };
}

const head = async () => (await readHead(site.pool)).position;
/** An event without the times of its decision. */
const shown = (type: string, data: object) => [
  type,
  JSON.parse(encode(data), (key, value) => (/Ms$/.test(key) && value !== null ? 0 : value)),
];

/** Runs the action as a dry run, then for real. @returns the types of both, which are equal, and the response. */
async function act<Data>(by: TestOperator, path: string, body: object = {}, method = 'POST') {
  const before = await head();
  const dry = await send<DryRun>(by, path + DRY_RUN_PATH, body, { method });
  expect(dry).toMatchObject({ status: 200 });
  expect(await head()).toBe(before);
  const { events, fingerprint } = dry.data;
  const real = await send<Data>(by, path, body, { method, fingerprint });
  expect(real).toMatchObject({ status: 200 });
  const appended = await readLog(site.pool, { from: before + 1, limit: 20 });
  expect(events.map(({ type, data }) => shown(type, data as object))).toEqual(
    appended.map(({ event }) => shown(event.type, event.data)),
  );
  return { types: events.map(({ type }) => type), postings: events.at(-1)?.postings, ...real };
}

const points = (minor: string) => ({ amount: { asset: 'points', minor } });

test('a dry run of an action on a player returns the events that the action appends', async () => {
  const player = await site.login();
  const on = `/players/${player.wallet.address}`;
  const types = async (by: TestOperator, path: string, body: object = {}, method = 'POST') =>
    (await act(by, on + path, body, method)).types;
  expect(await types(ann, '/suspend')).toEqual(['PlayerSuspended']);
  expect(await types(ann, '/reinstate')).toEqual(['PlayerReinstated']);
  expect(
    await types(ann, '/limits', { kind: 'loss', period: 'day', minor: '50000' }, 'PUT'),
  ).toEqual(['LimitSet']);
  expect(await types(ann, '/adjustments', points('1200'))).toEqual([
    'AllowanceUsed',
    'BalanceAdjusted',
  ]);
  // Above the limit of one operator, nothing moves.
  const proposed = await act<{ adjustment: string }>(ann, `${on}/adjustments`, points('5000000'));
  expect([proposed.types, proposed.postings]).toEqual([['AdjustmentProposed'], []]);
  const pending = `/adjustments/${proposed.data.adjustment}`;
  const approved = await act(bob, `${on}${pending}/approve`);
  expect([approved.types, approved.postings?.length]).toEqual([['BalanceAdjusted'], 2]);
  const other = await act<{ adjustment: string }>(ann, `${on}/adjustments`, points('6000000'));
  expect(await types(bob, `/adjustments/${other.data.adjustment}/refuse`)).toEqual([
    'AdjustmentRefused',
  ]);
  const { data } = await start(player, 'snake');
  expect(await types(ann, `/rounds/${data.round_id}/void`)).toEqual(['AllowanceUsed', 'BetVoided']);
  expect(await types(ann, '/exclusion', { term: '24h' })).toEqual(['SelfExcluded']);
});

test('a dry run of a change of configuration or roles returns the events that the change appends', async () => {
  const { admin: one } = admin.by;
  const off = await act(ann, '/switches', { switch: 'exchange', on: false }, 'PUT');
  expect(off.types).toEqual(['ConfigChanged']);
  const on = await act<{ proposal: number }>(
    ...([ann, '/switches', { switch: 'exchange', on: true }, 'PUT'] as const),
  );
  expect(on.types).toEqual(['ConfigChangeProposed']);
  const path = `/proposals/configuration/${on.data.proposal}`;
  expect((await act(bob, `${path}/confirm`)).types).toEqual(['ConfigChanged']);
  const operator = createWallet().address;
  const added = await act<{ proposal: number }>(one, '/operators', { operator, role: 'viewer' });
  expect(added.types).toEqual(['RoleProposed']);
  const role = `/proposals/roles/${added.data.proposal}`;
  expect((await act(one, `${role}/withdraw`)).types).toEqual(['RoleWithdrawn']);
  const address = bob.wallet.address;
  const lower = await act(one, `/operators/${address}/role`, { role: 'viewer' }, 'PUT');
  expect(lower.types).toEqual(['OperatorRoleChanged']);
  expect((await act(one, `/operators/${address}/revoke`)).types).toEqual(['OperatorRevoked']);
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

test('a dry run is refused where its action is, and serves every action', async () => {
  const player = await site.login();
  const suspend = `/players/${player.wallet.address}/suspend${DRY_RUN_PATH}`;
  expect((await send(admin.by.viewer, suspend, {})).data.error).toBe('role-too-low');
  const reinstate = `/players/${player.wallet.address}/reinstate${DRY_RUN_PATH}`;
  expect((await send(ann, reinstate, {})).data.error).toBe('not-suspended');
  const actions = Object.values(adminRoutes).filter((route) => 'headers' in route);
  expect(actions.length).toBeGreaterThan(20);
  for (const { path, method } of actions) {
    const { data } = await send(admin.by.viewer, `${path}${DRY_RUN_PATH}`, {}, { method });
    expect([path, data.error]).toEqual([path, 'role-too-low']);
  }
});
