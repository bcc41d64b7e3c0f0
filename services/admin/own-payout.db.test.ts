import { readWithdrawal } from '@reelbook/projections/withdrawals/read';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let bank: PayingSite;
let admin: AdminSite;
beforeAll(async () => {
  bank = await startPayingSite();
  admin = await startAdminSite(bank.site);
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
});
afterAll(async () => {
  await admin.close();
  await bank.close();
});

const reason = 'papers are in order';

test("an operator approved a withdrawal of another player that is paid to the operator's own wallet", async () => {
  const by = admin.by.operator;
  const player = await bank.player(3_000n * BSM);
  await bank.deposit(player, 2_500n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(2_500n * BSM));
  const { data } = await player.call<{ withdrawal_id: string }>('/transaction/withdraw', {
    body: { amount: 2_000, to_address: by.wallet.address },
  });
  await bank.until(async () =>
    expect((await readWithdrawal(bank.site.pool, data.withdrawal_id))?.status).toBe('requested'),
  );
  const answer = await by.call<{ error?: string }>(
    `/admin/withdrawals/${data.withdrawal_id}/approve`,
    { body: { reason } },
  );
  expect([answer.status, answer.data.error]).toEqual([403, 'operator-own-wallet']);
});
