import { HOLDS, type Hold, type HoldCode } from '@reelbook/ledger/holds';
import { setHold } from '@reelbook/payments/holds';
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

const awaiting = (Object.keys(HOLDS) as HoldCode[]).filter((code) =>
  (HOLDS[code] as readonly string[]).includes('approvals'),
);
test.each(awaiting)(
  'why a withdrawal waits has the approvals of its events, also before the next round of the cashier: %s',
  async (code) => {
    const cashier = await bank.startCashier();
    const player = await bank.player(5_000n * BSM);
    await bank.credit(player, 2_000n * BSM);
    const id = await bank.withdraw(player, 1_500);
    await bank.reaches(id, 'requested');
    await cashier.close();
    const { pool } = bank.site;
    // As the last round left it.
    await setHold(pool, id, { code, facts: { approvals: 0, needed: 2 } } as Hold);
    const path = `/admin/withdrawals/${id}`;
    const look = async () => {
      await untilCaughtUp(pool);
      const { data: own } = await by.call<AdminData<'withdrawal'>>(path);
      const { data: all } = await by.call<AdminData<'withdrawals'>>('/admin/withdrawals');
      const listed = all.withdrawals.find(({ withdrawal }) => withdrawal === id);
      expect([listed?.hold, listed?.risks]).toEqual([own.hold, own.risks]);
      const risk = own.risks.find((one) => one.code === 'on-hold')?.facts.why;
      expect(risk).toEqual(own.hold ? { hold: own.hold } : undefined);
      return [own.approved_by.length, own.approvals_needed, own.hold?.facts];
    };
    expect(await look()).toEqual([0, 2, { approvals: 0, needed: 2 }]);
    const body = { reason: 'known for years' };
    expect((await by.call(`${path}/approve`, { body })).status).toBe(200);
    expect(await look()).toEqual([1, 2, { approvals: 1, needed: 2 }]);
    expect((await bank.admin.second.call(`${path}/approve`, { body })).status).toBe(200);
    expect(await look()).toEqual([2, 2, undefined]);
  },
);
