import { postings } from '@reelbook/ledger/event-types';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PositionNotReached } from '../projection.ts';
import { readBalanceAt, readStatement } from './balances.ts';
import { entries } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const anna = walletOf(1);
const bert = walletOf(2);
const of = (account: string) => ({ account, asset: 'points' }) as const;

test('any balance at any position, with any batches', async () => {
  const projecting = await startProjecting(database, entries);
  const db = database.pool('app');
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  for (let i = 0; i < 20; i++) {
    history.bet(anna, 100n, i % 2 === 0 ? 150n : 0n);
    history.bet(bert, 200n, 0n);
    await projecting.applyInBatches(history.recorded(), 3);
  }
  const events = history.recorded();
  const expected = new Map([anna, bert].map((wallet) => [wallet, 0n]));
  for (const { position, stream, event } of events) {
    const wallet = stream.slice('player-'.length);
    const after = balancesAfter(event);
    if (after) expected.set(wallet, after.pointsMinor);
    let players = 0n;
    for (const [one, balanceMinor] of expected) {
      expect(await readBalanceAt(db, { ...of(`player:${one}`), position })).toMatchObject({
        balanceMinor,
      });
      players += balanceMinor;
    }
    const house = await readBalanceAt(db, { ...of('house'), position });
    expect(house.balanceMinor).toBe(-players);
  }
  const beyond = events.length + 1;
  const ask = { ...of('house'), position: beyond };
  await expect(readBalanceAt(db, ask)).rejects.toThrow(PositionNotReached);
});

test('a statement comes page by page', async () => {
  const db = database.pool('app');
  const account = of(`player:${anna}`);
  const complete = await readStatement(db, { ...account, limit: 100 });
  expect(complete).toHaveLength(1 + 20 + 10);
  expect(complete.at(-1)).toMatchObject({
    position: 2,
    deltaMinor: 100_000n,
    afterMinor: 100_000n,
  });
  const first = await readStatement(db, { ...account, limit: 7 });
  const second = await readStatement(db, { ...account, before: first.at(-1)?.position, limit: 7 });
  expect([...first, ...second]).toEqual(complete.slice(0, 14));
});

test('accounts of the house are folded from the previous block', async () => {
  const fresh = await createDatabase();
  const projecting = await startProjecting(fresh, entries);
  const db = fresh.pool('app');
  const history = createHistory();
  history.register(anna, 10_000_000n);
  for (let i = 0; i < 1_020; i++) history.bet(anna, 100n, i % 3 === 0 ? 150n : 0n);
  history.exchange(anna, 'points', 100_000n);
  history.withdraw(anna, 1_000_000_000n);
  const events = history.recorded();
  await projecting.applyInBatches(events, 700);
  const held = new Map<string, { balanceMinor: bigint; since: number }>();
  for (const { event, position, stream } of events) {
    for (const { account, asset, deltaMinor } of postings(event, stream.slice('player-'.length))) {
      const before = held.get(`${account} ${asset}`)?.balanceMinor ?? 0n;
      held.set(`${account} ${asset}`, { balanceMinor: before + deltaMinor, since: position });
    }
    if (position % 190 > 1 && position % 1_000 > 1 && position < events.length - 3) continue;
    for (const account of ['house', 'fees', 'withdrawals', 'chain', `player:${anna}`]) {
      for (const asset of ['points', 'token'] as const) {
        const expected = held.get(`${account} ${asset}`) ?? { balanceMinor: 0n, since: 0 };
        expect(await readBalanceAt(db, { account, asset, position })).toMatchObject(expected);
      }
    }
  }
  await fresh.drop();
});
