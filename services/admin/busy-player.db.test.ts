/** A player who bets without a pause holds off no act of operators or of the cashier: each is decided a few times at most. */
import { playerDecider } from '@reelbook/ledger/player/decide';
import { readHolds } from '@reelbook/payments/holds';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

const LOOPS = 24;
/**
 * The first attempt loses; the second may lose to a batch that was under way; the third is reserved. A decision of the budget
 * and of the allowance come with an attempt. On a busy machine a reservation may come too late, more than once.
 */
const DECISIONS_MAX = LOOPS;
const reason = 'a test';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview();
});
afterAll(() => bank.close());
afterEach(() => vi.restoreAllMocks());

/** Plays in parallel until `end`. */
function startPlaying(player: TestPlayer) {
  let isOver = false;
  let bets = 0;
  const loops = Array.from({ length: LOOPS }, async () => {
    while (!isOver) {
      const { status } = await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
      if (status === 200) bets++;
    }
  });
  const end = async () => {
    isOver = true;
    await Promise.all(loops);
  };
  onTestFinished(end);
  return { bets: () => bets, end };
}

/** The decisions on the player's stream since now, by the type of the command. */
function countDecisions() {
  const counts: Record<string, number> = {};
  const { decide } = playerDecider;
  vi.spyOn(playerDecider, 'decide').mockImplementation((state, command) => {
    counts[command.type] = (counts[command.type] ?? 0) + 1;
    return decide(state, command);
  });
  return counts;
}

test('operators adjust, note, limit, deny a withdrawal of and suspend a player who plays on', async () => {
  const player = await bank.player(2_000n * BSM);
  await bank.credit(player, 2_000n * BSM);
  const { operator } = bank.admin.by;
  const withdrawal = await bank.withdraw(player, 1_100);
  await bank.reaches(withdrawal, 'requested');
  const path = `/admin/players/${player.wallet.address}`;
  const limit = { kind: 'wager', period: 'day', minor: '99999999' };
  const acts = [
    ['AdjustBalance', 'POST', `${path}/adjustments`, { amount: { asset: 'points', minor: '-5' } }],
    ['NotePlayer', 'POST', `${path}/notes`, { note: reason }],
    ['SetLimit', 'PUT', `${path}/limits`, limit],
    ['DenyWithdrawal', 'POST', `/admin/withdrawals/${withdrawal}/deny`, {}],
    ['SuspendPlayer', 'POST', `${path}/suspend`, {}],
  ] as const;
  const counts = countDecisions();
  const playing = startPlaying(player);
  await vi.waitFor(() => expect(playing.bets()).toBeGreaterThan(LOOPS), { timeout: 60_000 });
  for (const [type, method, path, body] of acts) {
    const { status, message } = await operator.call(path, {
      method,
      body: type === 'NotePlayer' ? body : { reason, ...body },
    });
    expect([type, status, message]).toEqual([type, 200, expect.any(String)]);
    expect(counts[type], type).toBeLessThanOrEqual(DECISIONS_MAX);
  }
  await playing.end();
  expect((await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } })).status).toBe(
    403,
  );
  await bank.expectIntact();
});

test('the cashier pays a player who plays on', async () => {
  const player = await bank.player(20n * BSM);
  await bank.credit(player, 20n * BSM);
  const counts = countDecisions();
  const playing = startPlaying(player);
  await vi.waitFor(() => expect(playing.bets()).toBeGreaterThan(LOOPS), { timeout: 60_000 });
  const before = bank.logged.length;
  const withdrawal = await bank.withdraw(player, 1);
  await bank.reaches(withdrawal, 'finalized');
  await playing.end();
  for (const type of ['ApproveWithdrawal', 'SignWithdrawal', 'FinalizeWithdrawal']) {
    expect(counts[type], type).toBeGreaterThan(0);
    expect(counts[type], type).toBeLessThanOrEqual(DECISIONS_MAX);
  }
  expect(bank.logged.slice(before).filter((line) => line.includes('differs'))).toEqual([]);
  expect(await readHolds(bank.site.pool, [withdrawal])).toEqual(new Map());
  await bank.expectIntact();
});
