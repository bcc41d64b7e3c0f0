/** Concurrent actions of operators on the same subject: one succeeds, the others are refused, and no money moves twice. */
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, expect, test } from 'vitest';

const reason = 'at the same time';
const ROUNDS = 4;

let bank: PaymentReview;
let player: TestPlayer;
let ann: TestOperator;
let bob: TestOperator;
let carl: TestOperator;
beforeAll(async () => {
  bank = await startPaymentReview();
  ann = bank.admin.by.operator;
  [bob, carl] = [await bank.admin.add('operator'), await bank.admin.add('operator')];
  player = await bank.player(9_000n * BSM);
  await bank.credit(player, 9_000n * BSM);
});
afterAll(() => bank.close());

const post = (by: TestOperator, path: string, body: object = {}) =>
  by.call<{ proposal: number }>(`/admin/${path}`, { body: { reason, ...body } });

test('two approve a withdrawal while a third denies it: it is paid or returned, never both', async () => {
  const ends: (string | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const id = await bank.withdraw(player, 1_100);
    await bank.reaches(id, 'requested');
    const [first, second, denied] = await Promise.all([
      post(ann, `withdrawals/${id}/approve`),
      post(bob, `withdrawals/${id}/approve`),
      post(carl, `withdrawals/${id}/deny`),
    ]);
    const approvals = [first, second].filter((one) => one.status === 200).length;
    await bank.until(async () => expect(await bank.statusOf(id)).toMatch(/^(finalized|released)$/));
    const end = await bank.statusOf(id);
    // The responses match the final state.
    expect(end).toBe(denied.status === 200 ? 'released' : 'finalized');
    if (end === 'finalized') expect(approvals).toBe(2);
    ends.push(end);
  }
  const paid = ends.filter((end) => end === 'finalized').length;
  expect(await bank.balanceMinor(player)).toBe((9_000n - 1_100n * BigInt(paid)) * BSM);
  await bank.expectIntact();
});

test('an adjustment that is withdrawn while another operator approves it is either done or refused', async () => {
  const path = `players/${player.wallet.address}/adjustments`;
  const points = async () =>
    (await player.call<{ points_balance: number }>('/user/balance')).data.points_balance;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await points();
    const amount = { asset: 'points', minor: '5000000' };
    const { data } = await post(ann, path, { amount });
    const [withdrawn, signed] = await Promise.all([
      post(ann, `proposals/${data.proposal}/withdraw`),
      post(bob, `proposals/${data.proposal}/approve`),
    ]);
    // Withdrawn, approved or ended already.
    const statuses = [withdrawn.status, signed.status];
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await points()).toBe(before + (signed.status === 200 ? 50_000 : 0));
  }
});

test('an operator revoked during many actions performs none that starts afterwards', async () => {
  const dave = await bank.admin.add('operator');
  const path = `/admin/players/${player.wallet.address}/notes`;
  const note = () => dave.call(path, { body: { note: 'seen' } });
  const before = Array.from({ length: 20 }, note);
  const revoked = await post(bank.admin.by.admin, `operators/${dave.wallet.address}/revoke`);
  expect(revoked.status).toBe(200);
  const after = await Promise.all(Array.from({ length: 5 }, note));
  expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  for (const { status } of await Promise.all(before)) expect([200, 401]).toContain(status);
  await bank.expectIntact();
});

test('an invalid point in time is refused, and the empty ledger is a valid one', async () => {
  const { call } = bank.admin.by.viewer;
  const points = ['-1', '1e18', '999999999999999999999', '1.5', 'NaN', 'tomorrow', '%00', '9'];
  const streams = `stream=player-${player.wallet.address}`;
  for (const path of [`state?${streams}&at=`, 'house/solvency?at=', 'moment?at=']) {
    const empty = await call<object>(`/admin/${path}0`);
    expect([200, 404]).toContain(empty.status);
    for (const at of points.slice(0, -1)) {
      const { status, message } = await call(`/admin/${path}${at}`);
      expect([status, message], path + at).toEqual([400, expect.stringMatching(/./)]);
    }
    expect((await call(`/admin/${path}9`)).status).toBe(200);
  }
});
