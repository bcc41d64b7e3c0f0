import { postings } from '@reelbook/ledger/event-types';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PositionNotReached } from '../projection.ts';
import { readAccountsAt, readBalanceAt, readStatement } from './balances.ts';
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
    const all = await readAccountsAt(db, { position, limit: 10 });
    expect(all.reduce((sum, one) => sum + one.balanceMinor, 0n)).toBe(0n);
    expect(all.length).toBe(position < 2 ? 0 : position < 7 ? 2 : 3);
  }
  const beyond = events.length + 1;
  const ask = { ...of('house'), position: beyond };
  await expect(readBalanceAt(db, ask)).rejects.toThrow(PositionNotReached);
  await expect(readAccountsAt(db, { position: beyond, limit: 1 })).rejects.toThrow(
    PositionNotReached,
  );
});

test('a statement and the list of accounts come page by page', async () => {
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
  const position = 40;
  const all = await readAccountsAt(db, { position, limit: 10 });
  expect(all.map((one) => one.account)).toEqual(['house', `player:${anna}`, `player:${bert}`]);
  const paged = [];
  for (let after = undefined as (typeof all)[number] | undefined; ; ) {
    const page = await readAccountsAt(db, { position, after, limit: 1 });
    if (page.length === 0) break;
    paged.push(...page);
    after = page[0];
  }
  expect(paged).toEqual(all);
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
    const all = await readAccountsAt(db, { position, limit: 20 });
    expect(all).toEqual(
      [...held]
        .map(([key, one]) => ({ account: key.split(' ')[0], asset: key.split(' ')[1], ...one }))
        .sort((a, b) => (`${a.account} ${a.asset}` < `${b.account} ${b.asset}` ? -1 : 1)),
    );
  }
  await fresh.drop();
});
