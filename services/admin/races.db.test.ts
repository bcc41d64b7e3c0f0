/** Operators who act on the same thing at the same moment: one of them is heard, the others are told, and no money moves twice. */
import { readWithdrawal } from '@reelbook/projections/withdrawals/read';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

const reason = 'at the same moment';
const ROUNDS = 4;

let bank: PayingSite;
let admin: AdminSite;
let player: TestPlayer;
let ann: TestOperator;
let bob: TestOperator;
let carl: TestOperator;
beforeAll(async () => {
  bank = await startPayingSite();
  admin = await startAdminSite(bank.site);
  ann = admin.by.operator;
  [bob, carl] = [await admin.add('operator'), await admin.add('operator')];
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  player = await bank.player(9_000n * BSM);
  await bank.deposit(player, 9_000n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(9_000n * BSM));
});
afterAll(async () => {
  await admin?.close();
  await bank?.close();
});

const post = (by: TestOperator, path: string, body: object = {}) =>
  by.call<{ adjustment: string }>(`/admin/${path}`, { body: { reason, ...body } });

test('two approve a withdrawal while a third denies it: it is paid or given back, never both', async () => {
  const ends: (string | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const body = { amount: 1_100, to_address: player.wallet.address };
    const asked = await player.call<{ withdrawal_id: string }>('/transaction/withdraw', { body });
    const id = asked.data.withdrawal_id;
    const status = async () => (await readWithdrawal(bank.site.pool, id))?.status;
    await bank.until(async () => expect(await status()).toBe('requested'));
    const [first, second, denied] = await Promise.all([
      post(ann, `withdrawals/${id}/approve`),
      post(bob, `withdrawals/${id}/approve`),
      post(carl, `withdrawals/${id}/deny`),
    ]);
    const approvals = [first, second].filter((one) => one.status === 200).length;
    await bank.until(async () => expect(await status()).toMatch(/^(finalized|released)$/));
    const end = await status();
    // Who was told that it was denied, or approved by both, was told the truth.
    expect(end).toBe(denied.status === 200 ? 'released' : 'finalized');
    if (end === 'finalized') expect(approvals).toBe(2);
    ends.push(end);
  }
  const paid = ends.filter((end) => end === 'finalized').length;
  expect(await bank.balanceMinor(player)).toBe((9_000n - 1_100n * BigInt(paid)) * BSM);
  await bank.expectWhole();
});

test('an adjustment that is withdrawn while another signs it is either done or not', async () => {
  const path = `players/${player.wallet.address}/adjustments`;
  const points = async () =>
    (await player.call<{ points_balance: number }>('/user/balance')).data.points_balance;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await points();
    const amount = { asset: 'points', minor: '5000000' };
    const { data } = await post(ann, path, { amount });
    const [withdrawn, signed] = await Promise.all([
      post(ann, `${path}/${data.adjustment}/refuse`),
      post(bob, `${path}/${data.adjustment}/approve`),
    ]);
    expect([withdrawn.status, signed.status].toSorted()).toEqual([200, 404]);
    expect(await points()).toBe(before + (signed.status === 200 ? 50_000 : 0));
  }
});

test('who is revoked in the middle of many acts does none that begins afterwards', async () => {
  const dave = await admin.add('operator');
  const path = `/admin/players/${player.wallet.address}/notes`;
  const note = () => dave.call(path, { body: { note: 'seen' } });
  const before = Array.from({ length: 20 }, note);
  const revoked = await post(admin.by.admin, `operators/${dave.wallet.address}/revoke`);
  expect(revoked.status).toBe(200);
  const after = await Promise.all(Array.from({ length: 5 }, note));
  expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  for (const { status } of await Promise.all(before)) expect([200, 401]).toContain(status);
  await bank.expectWhole();
});

test('every moment that is none is refused in words, and the empty book is one', async () => {
  const { call } = admin.by.viewer;
  const moments = ['-1', '1e18', '999999999999999999999', '1.5', 'NaN', 'tomorrow', '%00', '9'];
  const streams = `stream=player-${player.wallet.address}`;
  for (const path of [`state?${streams}&at=`, 'trial-balance?at=', 'moment?at=']) {
    const empty = await call<object>(`/admin/${path}0`);
    expect([200, 404]).toContain(empty.status);
    for (const moment of moments.slice(0, -1)) {
      const { status, message } = await call(`/admin/${path}${moment}`);
      expect([status, message], path + moment).toEqual([400, expect.stringMatching(/./)]);
    }
    expect((await call(`/admin/${path}9`)).status).toBe(200);
  }
});
