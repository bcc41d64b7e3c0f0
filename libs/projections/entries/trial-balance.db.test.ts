import { balancesAfter } from '@reelbook/ledger/invariants';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PositionNotReached } from '../projection.ts';
import { readTrialBalance } from './balances.ts';
import { BLOCK, entries } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const PLAYERS = 3;

test('the trial balance at any position sums to zero and equals the events', async () => {
  const projecting = await startProjecting(database, entries);
  const db = database.pool('app');
  const history = createHistory();
  for (let n = 0; n < PLAYERS; n++) history.register(walletOf(n), 10_000_000n);
  for (let i = 0; i < BLOCK + 50; i++) {
    history.bet(walletOf(i % PLAYERS), 100n, BigInt((i % 5) * 60));
    if (i % 400 === 0) await projecting.applyInBatches(history.recorded(), 333);
  }
  const events = history.recorded();
  await projecting.applyInBatches(events, 333);
  const { position: last } = await readTrialBalance(db);
  expect(last).toBe(events.length);
  const requested = [0, 1, 2, 17, 999, 1_000, 1_001, 1_999, 2_000, 2_001, last];
  const held = new Map<string, bigint>();
  for (const { position, stream, event } of events) {
    const after = balancesAfter(event);
    if (after) held.set(stream, after.pointsMinor);
    if (!requested.includes(position)) continue;
    const players = [...held.values()].reduce((sum, one) => sum + one, 0n);
    const { lines } = await readTrialBalance(db, { position });
    const of = (name: string) =>
      lines.find(({ line, asset }) => line === name && asset === 'points');
    expect(of('players')?.balanceMinor, `at ${position}`).toBe(players);
    expect(of('house')?.balanceMinor).toBe(-players);
    expect(lines.reduce((sum, one) => sum + one.balanceMinor, 0n)).toBe(0n);
  }
  expect((await readTrialBalance(db, { position: 0 })).lines).toHaveLength(12);
  await expect(readTrialBalance(db, { position: last + 1 })).rejects.toThrow(PositionNotReached);
});
