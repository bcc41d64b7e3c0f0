import { readStream } from '@reelbook/event-store/read-stream';
import { playerStream } from '@reelbook/ledger/streams';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { dieAt, SHORT_LEASE_MS } from '@reelbook/simulator/faults/dying-cashier';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CrashPoint } from './context.ts';
import type { CashierDeps, RunningCashier } from './start.ts';

const BLOCKHASH_BLOCKS = 151;

// One site for all tests; each test has its own player and cashiers and leaves no open work.
let bank: PayingSite;
const cashiers: RunningCashier[] = [];
beforeAll(async () => {
  bank = await startPayingSite();
});
afterEach(async () => {
  bank.chain.local.faults.clear();
  for (const cashier of cashiers.splice(0)) await cashier.close();
});
afterAll(() => bank.close());

async function startCashier(o?: Partial<CashierDeps>): Promise<RunningCashier> {
  const cashier = await bank.startCashier({ leaseMs: SHORT_LEASE_MS, ...o });
  cashiers.push(cashier);
  return cashier;
}

/** A player with 100 BSM in the ledger, credited by a cashier that is closed. */
async function rich(): Promise<TestPlayer> {
  const player = await bank.player(100n * BSM);
  const cashier = await startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  await bank.credit(player, 100n * BSM);
  await bank.until(async () => expect((await bank.solvency()).inFlightMinor).toBe(0n));
  await cashier.close();
  return player;
}

/** Paid once: on the chain, in the ledger and in the player's balance. */
async function expectPaidOnce(player: TestPlayer, id: string): Promise<void> {
  await bank.reaches(id, 'finalized');
  expect(await bank.chain.chain.walletBalance(player.wallet.address)).toBe(9_500_000_000n);
  expect(await bank.balanceMinor(player)).toBe(90n * BSM);
  await bank.expectIntact();
}
async function countEvents({ wallet }: TestPlayer, type: string): Promise<number> {
  const stream = playerStream(wallet.address);
  const events = await readStream(bank.site.pool, { stream, fromVersion: 1, limit: 1_000 });
  return events.filter(({ event }) => event.type === type).length;
}

describe('a cashier that is killed -9', () => {
  const steps: readonly CrashPoint[] = [
    'before-approval',
    'approved',
    'signed-not-recorded',
    'signed-recorded',
    'sent',
    'seen-final',
    'final-recorded',
  ];
  test.each(steps)('at %s pays the withdrawal once', async (point) => {
    const ann = await rich();
    const id = await bank.withdraw(ann, 10);
    await dieAt(bank, point);
    await startCashier();
    await expectPaidOnce(ann, id);
  });

  test.each(['seen-expired', 'expiry-recorded'] as const)(
    'at %s, after the attempt never landed, pays it once',
    async (point) => {
      const ann = await rich();
      const id = await bank.withdraw(ann, 10);
      bank.chain.local.faults.dropSends(1_000);
      await dieAt(bank, 'sent');
      bank.chain.local.advance(BLOCKHASH_BLOCKS);
      await dieAt(bank, point);
      bank.chain.local.faults.clear();
      await startCashier();
      await expectPaidOnce(ann, id);
      expect(await countEvents(ann, 'WithdrawalAttemptFailed')).toBe(1);
    },
  );

  const arrivals: readonly CrashPoint[] = [
    'movement-found',
    'movement-added',
    'movement-appended',
    'movement-recorded',
    'before-observation',
    'observed',
  ];
  test.each(arrivals)('at %s credits a deposit once', async (point) => {
    const ann = await rich();
    await bank.chain.fund(7n * BSM, ann.wallet);
    await bank.deposit(ann, 7n * BSM);
    await dieAt(bank, point);
    await startCashier();
    await bank.until(async () => expect(await bank.balanceMinor(ann)).toBe(107n * BSM));
    await bank.expectIntact();
    expect(await countEvents(ann, 'DepositCredited')).toBe(2);
  });
});

describe('a chain that', () => {
  test('accepts a transaction without a response causes no second payment', async () => {
    const ann = await rich();
    const id = await bank.withdraw(ann, 10);
    bank.chain.local.faults.hangUp('sendTransaction', 3);
    await startCashier();
    await expectPaidOnce(ann, id);
    expect(await countEvents(ann, 'WithdrawalSigned')).toBe(1);
  });

  test('responds after the timeout causes no second payment', async () => {
    const ann = await rich();
    const id = await bank.withdraw(ann, 10);
    bank.chain.local.faults.answerLate('sendTransaction', 3_000, 2);
    await startCashier({ chain: bank.chain.open(bank.chain.local.urls, 2_000) });
    await expectPaidOnce(ann, id);
    expect(await countEvents(ann, 'WithdrawalSigned')).toBe(1);
  });

  test('never lands it causes a second attempt only after the blockhash has expired', async () => {
    const ann = await rich();
    const id = await bank.withdraw(ann, 10);
    bank.chain.local.faults.dropSends(1_000);
    await startCashier();
    await bank.reaches(id, 'signed');
    expect(await countEvents(ann, 'WithdrawalSigned')).toBe(1);
    bank.chain.local.advance(BLOCKHASH_BLOCKS);
    bank.chain.local.faults.clear();
    await expectPaidOnce(ann, id);
  });

  test('lands it late, while the cashier was down past the expiry, causes one payment', async () => {
    const ann = await rich();
    const id = await bank.withdraw(ann, 10);
    bank.chain.local.faults.landLate(2, 1);
    await dieAt(bank, 'sent');
    bank.chain.local.advance(5);
    bank.chain.local.advance(BLOCKHASH_BLOCKS + 50);
    await startCashier();
    await expectPaidOnce(ann, id);
    expect(await countEvents(ann, 'WithdrawalSigned')).toBe(1);
  });

  test('has one node without the transaction makes the withdrawal wait for an operator', async () => {
    const ann = await rich();
    const id = await bank.withdraw(ann, 10);
    await dieAt(bank, 'sent');
    await bank.reaches(id, 'signed');
    const signature = (await readWithdrawal(bank.site.pool, id))?.signature ?? '';
    // It landed, but the first node hides it and would report it as lost.
    bank.chain.local.faults.hide(signature, 'first');
    bank.chain.local.advance(BLOCKHASH_BLOCKS + 50);
    const cashier = await startCashier();
    await cashier.round();
    await cashier.round();
    // On a busy machine the first node may time out, and the other one, which has it, responds.
    expect(['signed', 'finalized']).toContain(await bank.statusOf(id));
    expect(await countEvents(ann, 'WithdrawalSigned')).toBe(1);
    bank.chain.local.faults.clear();
    await expectPaidOnce(ann, id);
  });
});

test('two concurrent cashiers pay once; one is active', async () => {
  const ann = await rich();
  const id = await bank.withdraw(ann, 10);
  await Promise.all([1, 2, 3].map(() => startCashier()));
  await expectPaidOnce(ann, id);
  expect(await countEvents(ann, 'WithdrawalSigned')).toBe(1);
});
