import type { BetResult } from '@reelbook/contract/player/games';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { winsNext } from '@reelbook/testing/next-draw';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview();
});
afterAll(() => bank.close());

const ROUNDS = 150;

test('withdrawing winnings from read seeds showed operators no risk', async () => {
  const off = { switch: 'withdrawals', on: false, reason: 'to look at one' };
  await bank.admin.by.operator.call('/admin/switches', { method: 'PUT', body: off });
  const player = await bank.player(5_000n * BSM);
  const { address } = player.wallet;
  await bank.credit(player, 100n * BSM);
  const exchange = { from_type: 'token', to_type: 'points', amount: 50 };
  expect((await player.call('/transaction/exchange', { body: exchange })).status).toBe(200);
  for (let n = 0; n < ROUNDS; n++) {
    const body = { bet_amount: (await winsNext(bank.site, address)) ? 500 : 1 };
    const answer = await player.call<BetResult>('/game/slot-machine/bet', { body });
    expect(answer.status, answer.message).toBe(200);
  }
  const id = await bank.withdraw(player, 10);
  await bank.reaches(id, 'requested');
  const risk = async (of = id) => {
    const path = `/admin/withdrawals/${of}`;
    const { risks } = (await bank.admin.by.operator.call<AdminData<'withdrawal'>>(path)).data;
    return risks.find(({ code }) => code === 'luck');
  };
  const denied = await bank.withdraw(player, 11);
  await bank.reaches(denied, 'requested');
  const reason = 'before the audit';
  await bank.admin.by.operator.call(`/admin/withdrawals/${denied}/deny`, { body: { reason } });
  await bank.reaches(denied, 'released');
  expect(await risk()).toBeUndefined();

  const begun = await bank.admin.by.auditor.call<AdminData<'job'>>('/admin/jobs/audit', {
    method: 'POST',
  });
  const jobOf = async () =>
    (await bank.admin.by.auditor.call<AdminData<'job'>>(`/admin/jobs/${begun.data.id}`)).data;
  await bank.until(async () => expect((await jobOf()).state).toBe('done'));
  const [lucky] = (await jobOf()).audit?.lucky ?? [];
  expect(lucky).toMatchObject({ player: address, rounds: ROUNDS });
  const oneIn = lucky?.one_in ?? 0;
  expect(oneIn).toBeGreaterThan(1_000);
  expect(await risk()).toEqual({
    code: 'luck',
    facts: { rounds: ROUNDS, oneIn },
    text: `won more in 150 rounds than chance allows 1 of ${oneIn} players, by the last audit`,
    weight: 2,
  });
  expect(await risk(denied)).toBeUndefined();
});
