import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { recordMovements } from '@reelbook/testing/every-movement';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { SEED } from '@reelbook/testing/seeds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PositionNotReached } from '../projection.ts';
import { accountSums, keyOf, movementsOf, readAccountSums, SUMS_POSITIONS } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('sums up to the end of a block, with any batches', async () => {
  const history = createHistory();
  recordMovements(history, { steps: 3_000, seed: SEED });
  const events = history.recorded();
  const projecting = await startProjecting(database, accountSums);
  await projecting.applyInBatches(events.slice(0, 40), 1);
  await projecting.applyInBatches(events.slice(0, 1_010), 333);
  await projecting.applyInBatches(events, events.length);
  const db = database.pool('app');
  const player = `player:${walletOf(1)}`;
  const last = Math.floor(events.length / SUMS_POSITIONS);
  for (const account of ['house', 'fees', 'withdrawals', 'unmatched', 'chain', player]) {
    for (const asset of ['points', 'token'] as const) {
      for (let blocks = 0; blocks <= last; blocks++) {
        const sums = new Map<string, { events: number; minor: bigint }>();
        for (const { event, stream } of events.slice(0, blocks * SUMS_POSITIONS)) {
          const wallet = stream === playerStream(walletOf(1)) ? walletOf(1) : 'another';
          for (const one of movementsOf(event, wallet)) {
            const isTwoWay = one.type === 'Exchanged' || one.type === 'BalanceAdjusted';
            if (one.account !== account || one.asset !== asset) continue;
            if (account === player && !isTwoWay) continue;
            const before = sums.get(keyOf(one)) ?? { events: 0, minor: 0n };
            sums.set(keyOf(one), { events: before.events + 1, minor: before.minor + one.minor });
          }
        }
        const found = await readAccountSums(db, { account, asset, blocks });
        expect(
          new Map(found.map((one) => [keyOf(one), { events: one.events, minor: one.minor }])),
          `${account} ${asset} ${blocks}`,
        ).toEqual(sums);
      }
    }
  }
  const beyond = { account: 'house', asset: 'points', blocks: last + 1 } as const;
  await expect(readAccountSums(db, beyond)).rejects.toThrow(PositionNotReached);
});
