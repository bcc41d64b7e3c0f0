import { readLog } from '@reelbook/event-store/read-log';
import { OPEN_WITHDRAWALS_MAX } from '@reelbook/ledger/player/withdrawals';
import { readHolds } from '@reelbook/payments/holds';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ATTACKERS = 24;

let bank: PayingSite;
beforeAll(async () => {
  bank = await startPayingSite();
});
afterAll(() => bank.close());

async function rich(bsm: bigint): Promise<TestPlayer> {
  const player = await bank.player(bsm * BSM);
  await bank.deposit(player, bsm * BSM);
  return player;
}

/** In the order in which the cashier approved them. */
async function approvals(): Promise<readonly string[]> {
  const events = await readLog(bank.site.pool, { from: 1, limit: 10_000 });
  return events.flatMap(({ event }) =>
    event.type === 'WithdrawalApproved' ? [event.data.withdrawal] : [],
  );
}

test('payments to one player above the hourly bound wait for operators', async () => {
  const player = await rich(20n);
  const cashier = await bank.startCashier();
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(20n * BSM));
  const requested: string[] = [];
  for (let n = 0; n < OPEN_WITHDRAWALS_MAX; n++) requested.push(await bank.withdraw(player, 1));
  await bank.until(async () => {
    for (const id of requested) {
      expect(await bank.statusOf(id)).toBe('finalized');
    }
  });
  const more = await bank.withdraw(player, 1);
  await bank.until(async () =>
    expect((await readHolds(bank.site.pool, [more])).get(more)?.code).toBe('player-count-used'),
  );
  await bank.expectIntact();
  await cashier.close();
});

test('240 minimum withdrawals from 24 wallets do not delay another player', async () => {
  const players = await Promise.all(
    Array.from({ length: ATTACKERS + 1 }, () => rich(BigInt(OPEN_WITHDRAWALS_MAX))),
  );
  const first = await bank.startCashier();
  await bank.until(async () => {
    for (const player of players) {
      expect(await bank.balanceMinor(player)).toBe(BigInt(OPEN_WITHDRAWALS_MAX) * BSM);
    }
  });
  await first.close();
  const [honest, ...attackers] = players;
  if (!honest) throw new Error('there is an honest player');
  for (let n = 0; n < OPEN_WITHDRAWALS_MAX; n++) {
    await Promise.all(attackers.map((player) => bank.withdraw(player, 1)));
  }
  const requested = await bank.withdraw(honest, 10);
  await untilCaughtUp(bank.site.pool);
  const earlier = (await approvals()).length;
  await bank.startCashier();
  await bank.until(async () => expect(await bank.statusOf(requested)).toBe('finalized'));
  const before = (await approvals()).slice(earlier).indexOf(requested);
  expect(before).toBeGreaterThanOrEqual(0);
  expect(before).toBeLessThanOrEqual(ATTACKERS);
}, 600_000);
