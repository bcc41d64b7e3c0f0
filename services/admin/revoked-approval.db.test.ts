/** The approval of an operator is void after the operator is revoked. */
import { readLog } from '@reelbook/event-store/read-log';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { start } from '@reelbook/simulator/client/timed-play';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { atNoon, notOfFakeClock } from '@reelbook/testing/fake-clock';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const reason = 'papers are in order';

let bank: PaymentReview;
let bob: TestOperator;
let carl: TestOperator;
/** Revoked between the two approvals. */
let thief: TestOperator;
beforeAll(async () => {
  // A round stays open.
  const sweep = { everyMs: 1_000, graceMs: 3_600_000 };
  bank = await startPaymentReview({ prepare: atNoon, sweep });
  [bob, carl] = [await bank.admin.add('operator'), await bank.admin.add('operator')];
});
beforeEach(async () => {
  thief = await bank.admin.add('operator');
});
afterAll(() => bank.close());

const act = <Data>(by: TestOperator, path: string, body: object = { reason }) =>
  by.call<Data & { error?: string }>(path, { body });
async function revokeThief(): Promise<void> {
  const { address } = thief.wallet;
  const { status } = await act(bank.admin.by.admin, `/admin/operators/${address}/revoke`);
  expect(status).toBe(200);
}
const ofWithdrawal = async (id: string) => {
  await untilCaughtUp(bank.site.pool);
  const { status, approvedBy = [] } = (await readWithdrawal(bank.site.pool, id)) ?? {};
  return { status, approvedBy };
};
const actor = ({ wallet }: TestOperator) => `operator:${wallet.address}`;

test('a withdrawal was paid with the approval of a revoked operator', async () => {
  const player = await bank.player(3_000n * BSM);
  await bank.credit(player, 2_500n * BSM);
  const id = await bank.withdraw(player, 2_000);
  const path = `/admin/withdrawals/${id}/approve`;
  await bank.until(async () => expect((await ofWithdrawal(id)).status).toBe('requested'));
  expect((await act(thief, path)).status).toBe(200);
  await revokeThief();
  expect((await act(bob, path)).status).toBe(200);
  expect(await ofWithdrawal(id)).toEqual({ status: 'requested', approvedBy: [actor(bob)] });
  expect((await act(carl, path)).status).toBe(200);
  expect((await ofWithdrawal(id)).approvedBy).toEqual([actor(bob), actor(carl)]);
  await bank.until(async () => expect((await ofWithdrawal(id)).status).toBe('finalized'));
});

interface Proposed {
  readonly number: number;
  readonly needs: object;
}
interface Answer {
  readonly proposal: number;
  readonly status: string;
}
const approve = (by: TestOperator, number: number) =>
  act<Answer>(by, `/admin/proposals/${number}/approve`);
/** With the approvals of two others, because the proposal of a revoked operator does not count. */
async function approvedByTwo(number: number): Promise<void> {
  await revokeThief();
  const { data } = await bob.call<Proposed[]>('/admin/proposals');
  expect(data.find((one) => one.number === number)?.needs).toMatchObject({ people: 2, able: 0 });
  expect((await approve(bob, number)).data.status).toBe('waiting');
  expect((await approve(carl, number)).data.status).toBe('executed');
}

test('an adjustment of a revoked proposer was done', async () => {
  const { wallet } = await bank.site.login();
  const path = `/admin/players/${wallet.address}/adjustments`;
  const body = { amount: { asset: 'points', minor: '500000' }, reason };
  await approvedByTwo((await act<Answer>(thief, path, body)).data.proposal);
});

test('a void of a revoked proposer was done', async () => {
  const player = await bank.site.login();
  const { round_id } = (await start(player, 'snake')).data;
  const dear = { amount: { asset: 'points', minor: '99999' }, reason };
  // The allowance of one operator for this player is used up.
  await act(carl, `/admin/players/${player.wallet.address}/adjustments`, dear);
  const path = `/admin/players/${player.wallet.address}/rounds/${round_id}/void`;
  await approvedByTwo((await act<Answer>(thief, path)).data.proposal);
});

test('an unmatched deposit was assigned with the proposal of a revoked operator', async () => {
  const [friend, stranger] = [await bank.site.login(), createWallet()];
  await bank.chain.fund(10n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 10n * BSM);
  bank.chain.finalize();
  const body = { to: `player:${friend.wallet.address}`, reason };
  let number = 0;
  await bank.until(async () => {
    const path = `/admin/unmatched-deposits/${signature}/resolve`;
    const answer = await act<Answer>(thief, path, body);
    expect(answer.status).toBe(200);
    number = answer.data.proposal;
  });
  await approvedByTwo(number);
  const events = await readLog(bank.site.pool, { from: 1, limit: 1_000 });
  const resolved = events.flatMap(({ event }) =>
    event.type === 'UnmatchedDepositResolved' ? [event.data] : [],
  );
  const approvals = [actor(bob), actor(carl)];
  expect(resolved).toMatchObject([{ by: actor(thief), proposal: { approvals } }]);
  await bank.until(async () => expect(await bank.balanceMinor(friend)).toBe(10n * BSM));
  const { report, compared } = await bank.audit();
  expect(report.findings.kept.filter(notOfFakeClock)).toEqual([]);
  expect(compared.unproven).toEqual([]);
});
