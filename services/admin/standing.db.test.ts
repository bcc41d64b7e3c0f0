import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

let bank: PaymentReview;
let by: TestOperator;
beforeAll(async () => {
  bank = await startPaymentReview({ isPaying: false });
  by = bank.admin.by.operator;
});
afterAll(() => bank?.close());

const act = async (player: TestPlayer, action: string, body: object) => {
  const path = `/admin/players/${player.wallet.address}/${action}`;
  const { status, position } = await by.call(path, { body });
  expect(status).toBe(200);
  return Number(position);
};
async function reinstate({ wallet }: TestPlayer): Promise<void> {
  const path = `/admin/players/${wallet.address}/reinstate`;
  const body = { reason: 'clear' };
  const { data } = await by.call<{ proposal: number }>(path, { body });
  await bank.admin.approve(data.proposal);
}
async function standingsOf({ wallet }: TestPlayer) {
  await untilCaughtUp(bank.site.pool);
  const { data: detail } = await by.call<AdminData<'player'>>(`/admin/players/${wallet.address}`);
  const { data: list } = await by.call<AdminData<'players'>>(`/admin/players?q=${wallet.address}`);
  expect(list.players.map(({ standing }) => standing)).toEqual([detail.standing]);
  return detail.standing;
}

test('a player is listed as suspended until reinstated, and as excluded, with who, why and since when', async () => {
  const player = await bank.player(BSM);
  const active = { suspended: null, excluded: null };
  expect(await standingsOf(player)).toEqual(active);
  const actor = `operator:${by.wallet.address}`;
  await act(player, 'suspend', { reason: 'first' });
  await reinstate(player);
  expect(await standingsOf(player)).toEqual(active);
  const position = await act(player, 'suspend', { reason: 'papers are missing' });
  const suspended = { position, by: actor, reason: 'papers are missing' };
  expect(await standingsOf(player)).toEqual({
    suspended: { ...suspended, since: expect.any(String) },
    excluded: null,
  });
  await act(player, 'exclusion', { term: 'permanent', reason: 'asked by mail' });
  expect(await standingsOf(player)).toMatchObject({
    suspended,
    excluded: { by: actor, reason: 'asked by mail', until: null },
  });
  const own = await bank.player(BSM);
  const exclude = { term: '24h' };
  await own.call('/user/protection/exclusion', { body: exclude });
  const excluded = { by: `player:${own.wallet.address}`, reason: null, until: expect.any(String) };
  expect(await standingsOf(own)).toMatchObject({ suspended: null, excluded });
});

test('lists of withdrawals and unmatched deposits have the standing of the player', async () => {
  const cashier = await bank.startCashier();
  const player = await bank.player(5_000n * BSM);
  await bank.credit(player, 2_000n * BSM);
  const withdrawal = await bank.withdraw(player, 1_500);
  await bank.reaches(withdrawal, 'requested');
  const stranger = createWallet();
  await bank.chain.fund(3n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 3n * BSM);
  const unmatched = async () =>
    (await by.call<AdminData<'deposits'>>('/admin/deposits?state=unmatched')).data.deposits;
  await bank.until(async () => expect(await unmatched()).toMatchObject([{ signature }]));
  // No longer running, so that it does not credit the sender, who becomes a player now.
  await cashier.close();
  const sender = await bank.site.login(stranger);
  await act(sender, 'exclusion', { term: '7d', reason: 'asked for it' });
  const position = await act(player, 'suspend', { reason: 'two accounts' });
  await untilCaughtUp(bank.site.pool);
  const standing = { suspended: { position, reason: 'two accounts' }, excluded: null };
  const { data } = await by.call<AdminData<'withdrawals'>>('/admin/withdrawals');
  expect(data.withdrawals).toMatchObject([{ withdrawal, player: { standing } }]);
  const detail = await by.call(`/admin/withdrawals/${withdrawal}`);
  expect(detail.data).toMatchObject({ player: { standing } });
  expect(await unmatched()).toMatchObject([
    { player: { standing: { suspended: null, excluded: { reason: 'asked for it' } } } },
  ]);
});
