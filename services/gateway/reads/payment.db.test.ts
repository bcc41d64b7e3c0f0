import type { Transaction } from '@reelbook/contract/player/profile';
import type { Payment } from '@reelbook/contract/player/wallet';
import { startExecutor } from '@reelbook/event-store/execute';
import { deny } from '@reelbook/payments/operator-actions';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explorerUrl } from '../answers/wallet.ts';

let bank: PayingSite;
let review: Parameters<typeof deny>[0];
beforeAll(async () => {
  bank = await startPayingSite();
  review = { pool: bank.site.pool, executor: startExecutor({ pool: bank.site.pool }) };
  await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
});
afterAll(async () => {
  await review.executor.close();
  await bank.close();
});

const payment = async (player: TestPlayer, id: string) =>
  (await player.call<Payment>(`/user/payments/${id}`)).data;
const stepsOf = ({ steps }: Payment) => steps.map(({ step }) => step);

test('a deposit is shown from its report to its credit, and only to its player', async () => {
  const player = await bank.player(20n * BSM);
  const signature = await bank.chain.deposit(player.wallet, 20n * BSM);
  const body = { amount: 20, tx_hash: signature };
  expect((await player.call('/transaction/deposit', { body })).status).toBe(200);
  const reported = await payment(player, signature);
  expect(reported).toMatchObject({ type: 'deposit', amount: 20, status: 'pending', fee: 0 });
  expect(stepsOf(reported)).toEqual(['reported']);
  await bank.until(async () => expect((await payment(player, signature)).status).toBe('completed'));
  const credited = await payment(player, signature);
  expect(stepsOf(credited)).toEqual(['reported', 'final']);
  expect(credited).toMatchObject({ chain_status: 'finalized', explorer_url: null, signature });
  expect(credited.steps[1]?.position).toBeGreaterThan(0);
  // The list has it once, as a credit, whatever its report is. The cashier looks up none under review.
  const late = "update deposit_reports set status = 'review' where signature = $1";
  expect((await bank.site.pool.query(late, [signature])).rowCount).toBe(1);
  await bank.until(async () => {
    const { data } = await player.call<{ items: Transaction[]; total: number }>(
      '/user/transactions?type=deposit',
    );
    expect(data.items.map(({ status }) => status)).toEqual(['completed']);
    expect(data.total).toBe(1);
  });
  const other = await bank.player(0n);
  expect((await other.call(`/user/payments/${signature}`)).status).toBe(404);
});

test('a withdrawal is shown with its steps, address, fee and status on the chain', async () => {
  const player = await bank.player(50n * BSM);
  await bank.credit(player, 50n * BSM);
  const withdrawal = await bank.withdraw(player, 10);
  // Without waiting for the read models.
  expect(stepsOf(await payment(player, withdrawal))[0]).toBe('requested');
  await bank.reaches(withdrawal, 'finalized');
  await bank.until(async () =>
    expect((await payment(player, withdrawal)).status).toBe('completed'),
  );
  const paid = await payment(player, withdrawal);
  expect(paid).toMatchObject({
    id: withdrawal,
    type: 'withdraw',
    amount: 10,
    fee: 0.5,
    net_amount: 9.5,
    to_address: player.wallet.address,
    chain_status: 'finalized',
    hold: null,
    reason: null,
  });
  expect(stepsOf(paid)).toEqual(['requested', 'approved', 'sent', 'final']);
  expect(await bank.chain.chain.transaction(paid.signature ?? '', 'finalized')).not.toBeNull();
  // Nothing more to come, so no duration to expect.
  expect(paid.usual).toBeNull();
  await bank.until(async () => {
    const list = await player.call<{ items: Transaction[] }>('/user/transactions?type=money');
    const row = list.data.items.find(({ type }) => type === 'withdraw');
    expect(JSON.parse(row?.extra_data ?? '{}')).toMatchObject({
      to_address: player.wallet.address,
      fee: 0.5,
      signature: paid.signature,
    });
  });
  const other = await bank.player(0n);
  expect((await other.call(`/user/payments/${withdrawal}`)).status).toBe(404);
});

test('a withdrawal that waits names the reason, and a denied one that it was returned and why', async () => {
  const player = await bank.player(50n * BSM);
  await bank.credit(player, 50n * BSM);
  // To another wallet without a confirmation: operators decide.
  const { address: to } = createWallet();
  const withdrawal = await bank.withdraw(player, 10, to);
  await bank.until(async () =>
    expect((await payment(player, withdrawal)).hold?.code).toBe('not-confirmed'),
  );
  const waiting = await payment(player, withdrawal);
  // That of the test before, by the times of its events.
  const { rows } = await bank.site.pool.query<{ ms: number }>(
    `select extract(epoch from (ended.body->>'time')::timestamptz
        - (asked.body->>'time')::timestamptz) * 1000 as ms
      from events as asked join events as ended
        on ended.body->'data'->>'withdrawal' = asked.body->'data'->>'withdrawal'
      where asked.type = 'WithdrawalRequested' and ended.type = 'WithdrawalFinalized'`,
  );
  expect(waiting.usual).toEqual({ ms: Number(rows[0]?.ms), count: 1 });
  expect(waiting).toMatchObject({ status: 'pending', to_address: to, confirmed_by_wallet: false });
  expect(waiting.hold?.text).toMatch(/not confirmed: awaiting approval, 0 of 2/);
  const reason = 'not the wallet of the player';
  await deny(review, withdrawal, {
    by: OPERATORS.anna,
    reason,
    correlation: 'test',
    key: 'denied',
  });
  const returned = await payment(player, withdrawal);
  expect(returned).toMatchObject({ status: 'returned', chain_status: null, hold: null });
  expect(returned.reason).toBe(reason);
  expect(stepsOf(returned)).toEqual(['requested', 'denied', 'returned']);
});

test('the page of a transaction is that of the configured cluster; a local chain has none', () => {
  const page = 'https://explorer.solana.com/tx/abc';
  expect(explorerUrl('mainnet-beta', 'abc')).toBe(page);
  expect(explorerUrl('devnet', 'abc')).toBe(`${page}?cluster=devnet`);
  expect(explorerUrl('testnet', 'abc')).toBe(`${page}?cluster=testnet`);
  for (const network of ['local', 'localnet', null]) expect(explorerUrl(network, 'abc')).toBeNull();
  expect(explorerUrl('devnet', null)).toBeNull();
});
