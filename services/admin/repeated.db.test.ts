/** A call that is repeated with its key, because its answer was lost, has the first answer, whatever has been decided since. */
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { start } from '@reelbook/simulator/client/timed-play';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { observeTreasury, seeUnmatched } from '@reelbook/testing/treasury';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  site = await startSite({ gameTickMs: HOUR_MS });
  admin = await startAdminSite(site);
  ann = admin.by.operator;
  bob = await admin.add('operator');
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const reason = 'as agreed';
interface Acted {
  readonly proposal: number | null;
  readonly error?: string;
}
interface Act {
  readonly by: TestOperator;
  readonly path: string;
  readonly method?: 'PUT';
  readonly body: object;
}
const send = ({ by, path, method, body }: Act, key: string) =>
  by.call<Acted>(`/admin/${path}`, {
    ...{ body: { reason, ...body }, key },
    ...(method && { method }),
  });
const acted = async (act: Act, key: string) => {
  const { status, data } = await send(act, key);
  expect([status, data.error]).toEqual([200, undefined]);
  return data;
};

const players = async () => {
  const player = await site.login();
  return { player, path: `players/${player.wallet.address}` };
};
const configured = async () => {
  const { data } = await admin.by.admin.call<AdminData<'configuration'>>('/admin/configuration');
  return data.version;
};
const change = async (path: string, value: string): Promise<Act> => ({
  ...{ by: admin.by.admin, path: 'configuration', method: 'PUT' },
  body: { version: await configured(), changes: [{ path, value }] },
});

const ACTS: Readonly<Record<string, () => Promise<Act>>> = {
  async adjustment() {
    const { path } = await players();
    return {
      ...{ by: ann, path: `${path}/adjustments` },
      body: { amount: { asset: 'points', minor: '5000000' } },
    };
  },
  async reinstatement() {
    const { path } = await players();
    await acted({ by: ann, path: `${path}/suspend`, body: {} }, 'suspend');
    return { by: ann, path: `${path}/reinstate`, body: {} };
  },
  async void() {
    const { player, path } = await players();
    const { round_id: round } = (await start(player, 'snake')).data;
    const { path: _, ...lower } = await change('adjust.operatorDayMaxPointsMinor', '1');
    await acted({ ...lower, path: 'configuration' }, 'lower');
    return { by: ann, path: `${path}/rounds/${round}/void`, body: {} };
  },
  async unmatched() {
    const { signature } = await seeUnmatched(site.pool, 20n * 10n ** 9n);
    return { by: ann, path: `unmatched-deposits/${signature}/resolve`, body: { to: 'house' } };
  },
  async switch() {
    const act = { by: ann, path: 'switches', method: 'PUT' } as const;
    await acted({ ...act, body: { switch: 'exchange', on: false } }, 'off');
    return { ...act, body: { switch: 'exchange', on: true } };
  },
  configuration: () => change('withdraw.dayMaxTokenMinor', '999999999999999999'),
  role: async () => ({
    ...{ by: admin.by.admin, path: 'operators' },
    body: { operator: createWallet().address, role: 'viewer' },
  }),
};

test.each(Object.entries(ACTS))('of %s that is executed', async (kind, make) => {
  const act = await make();
  const first = await acted(act, kind);
  expect(first.proposal).toEqual(expect.any(Number));
  await admin.approve(first.proposal);
  expect(await acted(act, kind)).toEqual(first);
});

test('of a deposit that one operator could resolve alone meanwhile', async () => {
  const loosen = await change('adjust.singleOperatorMaxTokenMinor', '40000000000');
  const { signature } = await seeUnmatched(site.pool, 30n * 10n ** 9n);
  const act = { by: ann, path: `unmatched-deposits/${signature}/resolve`, body: { to: 'house' } };
  const first = await acted(act, 'early');
  await admin.approve((await acted(loosen, 'loosen')).proposal);
  expect(await acted(act, 'early')).toEqual(first);
  expect((await acted({ ...act, by: bob }, 'late')).proposal).toBeNull();
  expect(await acted(act, 'early')).toEqual(first);
  const other = await send({ ...act, body: { to: 'house', reason: 'another' } }, 'early');
  expect(other.data.error).toBe('decided-otherwise');
});
