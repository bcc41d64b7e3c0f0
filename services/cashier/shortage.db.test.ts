import { openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import type { HoldCode } from '@reelbook/ledger/holds';
import { approveProposal } from '@reelbook/payments/approvals';
import { readHolds } from '@reelbook/payments/holds';
import { readMovement, readUnmatched } from '@reelbook/payments/movements';
import { deny, markExpired, resolveUnmatched } from '@reelbook/payments/operator-actions';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { dieAt, SHORT_LEASE_MS } from '@reelbook/simulator/faults/dying-cashier';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { mintTokens } from '@reelbook/solana/local-chain/token';
import { signInOperator } from '@reelbook/testing/operators';
import { WAIT } from '@reelbook/testing/wait';
import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterEach, expect, test, vi } from 'vitest';

const BLOCKHASH_BLOCKS = 151;
/** More blocks than pass while the treasury is emptied. */
const LATE_BLOCKS = 50;

let bank: PayingSite;
afterEach(async () => {
  bank.chain.local.faults.clear();
  await bank.close();
});

async function rich(): Promise<TestPlayer> {
  const player = await bank.player(100n * BSM);
  const cashier = await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  await bank.deposit(player, 100n * BSM);
  await bank.until(async () => expect(await bank.balanceMinor(player)).not.toBe(0n));
  await bank.until(async () => expect((await bank.solvency()).inFlightMinor).toBe(0n));
  await cashier.close();
  return player;
}
const waits = (id: string, code: HoldCode) =>
  bank.until(async () =>
    expect((await readHolds(bank.site.pool, [id])).get(id)).toEqual({ code, facts: {} }),
  );
async function countEvents(type: string): Promise<number> {
  const { position } = await readHead(bank.site.pool);
  const events = await readLog(bank.site.pool, { from: 1, limit: position });
  return events.filter(({ event }) => event.type === type).length;
}

/** Moves all but so much BSM out of the treasury, like another holder of its key. */
async function drain(leftMinor: bigint): Promise<string> {
  const { chain, local, token, treasury } = bank.chain;
  const stranger = await bank.chain.fund(0n);
  const mint = new PublicKey(token.mint.address);
  const { tokenMinor } = await chain.treasury();
  const [from, to, owner] = [treasury.address, stranger.address, treasury.address].map(
    (one) => new PublicKey(one),
  ) as [PublicKey, PublicKey, PublicKey];
  const move = createTransferInstruction(
    getAssociatedTokenAddressSync(mint, from),
    getAssociatedTokenAddressSync(mint, to),
    owner,
    tokenMinor - leftMinor,
  );
  return local.run([move], [treasury]);
}

async function refill(amountMinor: bigint): Promise<void> {
  const { local, token, treasury } = bank.chain;
  await mintTokens(local, token, { wallet: treasury.address, amountMinor, lamports: 1n });
}

test('an attempt that fails on the chain is final; the next attempt waits for BSM, then pays', async () => {
  bank = await startPayingSite();
  const ann = await rich();
  const id = await bank.withdraw(ann, 10);
  bank.chain.local.faults.landLate(LATE_BLOCKS, 1_000);
  await bank.startCashier();
  await vi.waitFor(async () => expect(await bank.statusOf(id)).toBe('signed'), WAIT);
  // The treasury is emptied between signing and landing: the transaction moves nothing.
  await drain(1n * BSM);
  bank.chain.local.faults.clear();
  await waits(id, 'treasury-short');
  expect(await countEvents('WithdrawalAttemptFailed')).toBe(1);
  expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(0n);
  await bank.until(async () =>
    expect(await bank.newestEntry(ann)).toContain('waiting: the treasury holds too little BSM now'),
  );
  await refill(50n * BSM);
  await bank.until(async () => expect(await bank.statusOf(id)).toBe('finalized'));
  expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(9_500_000_000n);
  expect(await countEvents('WithdrawalSigned')).toBe(2);
  const [top] = await readUnmatched(bank.site.pool, { limit: 2 });
  const executor = startExecutor({ pool: bank.site.pool, fromEvents: true });
  const act = { by: OPERATORS.anna, reason: 'our own refill', key: 'k', correlation: 'test' };
  const mine = { signature: top?.signature ?? '', to: 'house' };
  const { pool } = bank.site;
  const review = { pool, executor, clock: openClock(pool), knownRules: {} };
  const proposed = await resolveUnmatched(review, mine, act);
  const { proposal } = proposed as { proposal: number };
  const approval = { ...act, by: OPERATORS.bert, idempotencyKey: 'command:l', request: null };
  await signInOperator(pool, OPERATORS.bert.slice('operator:'.length));
  const { ended } = await approveProposal(review, proposal, approval);
  expect(ended).toMatchObject({ status: 'executed' });
  await executor.close();
  await bank.expectIntact({ isShort: true });
});

test('signed amounts are reserved: of three withdrawals the treasury pays the two that it covers', async () => {
  bank = await startPayingSite();
  const ann = await rich();
  await drain(20n * BSM);
  const ids = [
    await bank.withdraw(ann, 10),
    await bank.withdraw(ann, 10),
    await bank.withdraw(ann, 10),
  ];
  bank.chain.finalize();
  await bank.startCashier();
  await bank.until(async () => {
    const now = await Promise.all(ids.map(bank.statusOf));
    expect(now.filter((status) => status === 'finalized')).toHaveLength(2);
  });
  // Not signed: a failed signature would use up an attempt.
  expect(await countEvents('WithdrawalSigned')).toBe(2);
  expect(await countEvents('WithdrawalAttemptFailed')).toBe(0);
  const now = await Promise.all(ids.map(bank.statusOf));
  await waits(ids[now.indexOf('approved')] ?? '', 'treasury-short');
});

test('an operator who expires a landed attempt does not cause a second payment', async () => {
  bank = await startPayingSite();
  const ann = await rich();
  const id = await bank.withdraw(ann, 10);
  await dieAt(bank, 'sent');
  await vi.waitFor(async () => expect(await bank.statusOf(id)).toBe('signed'), WAIT);
  bank.chain.local.advance(BLOCKHASH_BLOCKS + 50);
  const executor = startExecutor({ pool: bank.site.pool });
  const review = { pool: bank.site.pool, executor };
  const act = { by: OPERATORS.anna, reason: 'it is lost', key: 'k', correlation: 'test' };
  expect(await markExpired(review, id, { ...act, blockHeight: 1 })).toMatchObject({
    rejected: 'withdrawal-not-expired',
  });
  expect(await markExpired(review, id, { ...act, key: 'k2', blockHeight: 10 ** 9 })).toBeNull();
  await vi.waitFor(async () => expect(await bank.statusOf(id)).toBe('approved'), WAIT);
  // Nor can an operator return it: only the cashier does, after a check of the chain.
  expect(await deny(review, id, { ...act, key: 'k3' })).toMatchObject({
    rejected: 'withdrawal-on-its-way',
  });
  await executor.close();
  // One node hides it and the other is unavailable: the result is unknown, so nothing is done.
  const signature = (await readWithdrawal(bank.site.pool, id))?.signature ?? '';
  bank.chain.local.faults.hide(signature, 'first');
  bank.chain.local.faults.fail('getSignatureStatuses', 1_000, 'second');
  await bank.startCashier({ leaseMs: SHORT_LEASE_MS });
  await waits(id, 'may-still-land');
  bank.chain.local.faults.clear();
  // The chain is authoritative: the ledger follows it.
  await bank.until(async () => expect(await bank.statusOf(id)).toBe('finalized'));
  expect(await countEvents('WithdrawalSigned')).toBe(1);
  expect(await bank.balanceMinor(ann)).toBe(90n * BSM);
  await bank.expectIntact();
  expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(9_500_000_000n);
});

test('what left is known by the ledger, even while the read model is behind or wrong', async () => {
  bank = await startPayingSite();
  const { pool } = bank.site;
  const ann = await rich();
  await bank.startCashier();
  const id = await bank.withdraw(ann, 10);
  await bank.reaches(id, 'finalized');
  const paid = (await readWithdrawal(pool, id))?.signature ?? '';
  await bank.until(async () =>
    expect(await readMovement(pool, paid)).toMatchObject({ kind: 'withdrawal', reason: id }),
  );
  await bank.site.database
    .pool('owner')
    .query("update projections.withdrawals_v1 set signature = 'another'");
  // Read again, as after the loss of the table.
  await pool.query('delete from treasury_movements where signature = $1', [paid]);
  const signature = await drain(20n * BSM);
  await bank.until(async () => {
    expect(await readMovement(pool, signature)).toMatchObject({ kind: 'other' });
    expect(await readMovement(pool, paid)).toMatchObject({ kind: 'withdrawal', reason: id });
  });
});

test('with a transfer fee the received amount is credited and the sent amount is debited', async () => {
  bank = await startPayingSite({ feeBasisPoints: 250 });
  const ann = await rich();
  expect(await bank.balanceMinor(ann)).toBe(97_500_000_000n);
  await bank.startCashier();
  const id = await bank.withdraw(ann, 97.5);
  await bank.until(async () => expect(await bank.statusOf(id)).toBe('finalized'));
  expect(await bank.balanceMinor(ann)).toBe(0n);
  // 5 % is the withdrawal fee; 2.5 % of the rest is the transfer fee.
  expect(await bank.chain.chain.walletBalance(ann.wallet.address)).toBe(90_309_375_000n);
  await bank.expectIntact();
});
