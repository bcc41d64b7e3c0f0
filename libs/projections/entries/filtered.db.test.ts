import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { recordMovements } from '@reelbook/testing/every-movement';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { SEED } from '@reelbook/testing/seeds';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withdrawals } from '../withdrawals/projection.ts';
import {
  MOVEMENT_EVENTS,
  type MovementState,
  type MovementType,
  type RoundState,
  readFilteredRounds,
  readFilteredTransactions,
  readTransactions,
  type Transaction,
} from './history.ts';
import { entries } from './projection.ts';
import { readRounds } from './rounds.ts';

const wallet = walletOf(1);
const MAX = 10_000;
const PAGE = 100;

let database: TestDatabase;
let db: pg.Pool;
let all: readonly Transaction[];

beforeAll(async () => {
  database = await createDatabase();
  db = database.pool('app');
  const history = createHistory();
  recordMovements(history, { steps: 1_500, seed: SEED });
  for (const projection of [entries, withdrawals]) {
    const projecting = await startProjecting(database, projection);
    await projecting.applyInBatches(history.recorded(), 500);
  }
  all = await pages((skip) => readTransactions(db, { wallet, skip, limit: PAGE }));
  expect(all.length).toBeGreaterThan(300);
});
afterAll(() => database.drop());

async function pages<Item>(
  read: (skip: number) => Promise<{ items: readonly Item[]; total: number }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (;;) {
    const { items, total } = await read(found.length);
    found.push(...items);
    if (items.length === 0 || found.length === total) {
      expect(found.length).toBe(total);
      return found;
    }
  }
}

const filtered = (
  o: Omit<Parameters<typeof readFilteredTransactions>[1], 'wallet' | 'skip' | 'limit' | 'max'>,
) => pages((skip) => readFilteredTransactions(db, { wallet, skip, limit: PAGE, max: MAX, ...o }));

test.each(Object.keys(MOVEMENT_EVENTS) as MovementType[])(
  'of type %s are those of the list',
  async (type) => {
    expect(await filtered({ type })).toEqual(all.filter((one) => one.type === type));
  },
);

test('of games and of money are together those of the list', async () => {
  const ofGames = (one: Transaction) => ['bet', 'win', 'void'].includes(one.type);
  expect(await filtered({ type: 'games' })).toEqual(all.filter(ofGames));
  const money = await filtered({ type: 'money' });
  expect(money).toEqual(all.filter((one) => !ofGames(one)));
  expect(new Set(money.map(({ type }) => type)).size).toBeGreaterThan(2);
});

test('of each state are those of the list', async () => {
  const states: Record<MovementState, readonly string[]> = {
    completed: ['completed'],
    open: ['pending', 'approved', 'processing'],
    returned: ['returned'],
  };
  for (const [state, statuses] of Object.entries(states)) {
    const expected = all.filter(({ status }) => statuses.includes(status));
    expect(expected.length, state).toBeGreaterThan(0);
    expect(await filtered({ state: state as MovementState }), state).toEqual(expected);
  }
});

test('of a game and a period are those of the list; the end is not included', async () => {
  const times = [...new Set(all.map((one) => one.createdAt))].sort();
  const from = times[Math.floor(times.length / 3)] ?? '';
  const to = times[Math.floor(times.length / 2)] ?? '';
  const isIn = ({ createdAt }: Transaction) => createdAt >= from && createdAt < to;
  expect(await filtered({ from, to })).toEqual(all.filter(isIn));
  const snake = all.filter((one) => one.game === 'snake' && isIn(one));
  expect(snake.length).toBeGreaterThan(0);
  expect(await filtered({ game: 'snake', from, to })).toEqual(snake);
  expect(await filtered({ game: 'chess' })).toEqual([]);
});

test('end after the maximum', async () => {
  const page = { wallet, skip: 5, limit: PAGE, max: 7 };
  const { items, total } = await readFilteredTransactions(db, page);
  expect([items, total]).toEqual([all.slice(5, 7), 7]);
});

test('rounds of each state are those of the list', async () => {
  const rounds = await pages((skip) =>
    readRounds(db, { wallet, game: 'snake', page: 1 + skip / PAGE, pageSize: PAGE }),
  );
  const stateOf = ({ settled }: (typeof rounds)[number]): RoundState => {
    if (!settled) return 'open';
    if (typeof settled.outcome.voided === 'string') return 'voided';
    return settled.payoutMinor > 0n ? 'won' : 'lost';
  };
  for (const state of ['won', 'lost', 'voided', 'open'] as const) {
    const of = { wallet, game: 'snake', limit: PAGE, max: MAX, state };
    const found = await pages((skip) => readFilteredRounds(db, { ...of, skip }));
    expect(found, state).toEqual(rounds.filter((one) => stateOf(one) === state));
  }
  const from = rounds[3]?.placedAt ?? '';
  const since = await readFilteredRounds(db, {
    wallet,
    game: 'snake',
    from,
    skip: 0,
    limit: PAGE,
    max: MAX,
  });
  expect(since.items).toEqual(rounds.filter(({ placedAt }) => placedAt >= from));
});
