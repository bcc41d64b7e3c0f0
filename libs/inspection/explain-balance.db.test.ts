import { type EventType, postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { accountSums } from '@reelbook/projections/account-sums/projection';
import {
  type ExplorerFilter,
  HOUSE_ACCOUNTS,
  MOVED_BY,
  Unanswerable,
} from '@reelbook/projections/entries/filter';
import { entries } from '@reelbook/projections/entries/projection';
import { readExplorer } from '@reelbook/projections/entries/read';
import { PositionNotReached } from '@reelbook/projections/projection';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { recordMovements } from '@reelbook/testing/every-movement';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { SEED } from '@reelbook/testing/seeds';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainBalance, readEarnedFees, readExplainable } from './explain-balance.ts';

const ASSETS: readonly Asset[] = ['points', 'token'];
const ACCOUNTS = [...HOUSE_ACCOUNTS, ...[1, 2, 3, 9].map((n) => `player:${walletOf(n)}`)];

let database: TestDatabase;
let db: pg.Pool;
let events: readonly RecordedEvent[];
let spans: readonly (readonly [from: number, at: number])[];
/** By account and asset, what each event moved on it. */
const moved = new Map<string, Movement[]>();

interface Movement {
  readonly type: EventType;
  readonly position: number;
  readonly minor: bigint;
}

beforeAll(async () => {
  database = await createDatabase();
  db = database.pool('app');
  const history = createHistory();
  recordMovements(history, { steps: 4_500, seed: SEED });
  events = history.recorded();
  for (const projection of [entries, accountSums]) {
    const projecting = await startProjecting(database, projection);
    await projecting.applyInBatches(events, 700);
  }
  for (const { event, stream, position } of events) {
    const sums = new Map<string, bigint>();
    for (const { account, asset, deltaMinor } of postings(event, parseStream(stream).id)) {
      const key = `${account} ${asset}`;
      sums.set(key, (sums.get(key) ?? 0n) + deltaMinor);
    }
    for (const [key, minor] of sums) {
      moved.set(key, [...(moved.get(key) ?? []), { type: event.type, position, minor }]);
    }
  }
  const head = events.length;
  expect(head).toBeGreaterThan(3_000);
  spans = [
    ...[0, 1, 999, 1_000, 1_734, head].map((at) => [0, at] as const),
    ...[
      [1_000, 2_000],
      [999, 1_001],
      [1_204, 1_290],
      [250, head],
      [head, head],
    ].map(([from = 0, at = 0]) => [from, at] as const),
  ];
});
afterAll(() => database.drop());

/** What events moved on an account, in the order of the ledger. */
function movements(account: string, asset: Asset, [from, at]: readonly [number, number]) {
  const all = moved.get(`${account} ${asset}`) ?? [];
  return all.filter(({ position }) => position > from && position <= at);
}

/** Sums by type and direction. */
function byKind(all: readonly { type: string; minor: bigint; events: number }[]) {
  const sums = new Map<string, { minor: bigint; events: number }>();
  for (const { type, minor, events: count } of all) {
    const key = `${type} ${minor > 0n}`;
    const before = sums.get(key) ?? { minor: 0n, events: 0 };
    sums.set(key, { minor: before.minor + minor, events: before.events + count });
  }
  return sums;
}

const total = (moved: readonly { minor: bigint }[]) =>
  moved.reduce((sum, { minor }) => sum + minor, 0n);

const BOTH = ACCOUNTS.flatMap((account) => ASSETS.map((asset) => ({ account, asset })));

test.each(ACCOUNTS)('the terms of %s are those of a plain fold, at any moment', async (account) => {
  for (const asset of ASSETS) {
    for (const span of spans) {
      const [from, at] = span;
      const what = `${asset} of ${account}, ${span}`;
      const found = await explainBalance(db, { account, asset, from, at });
      expect(found.openingMinor, what).toBe(total(movements(account, asset, [0, from])));
      expect(found.balanceMinor, what).toBe(total(movements(account, asset, [0, at])));
      expect(found.openingMinor + total(found.terms), what).toBe(found.balanceMinor);
      const terms = movements(account, asset, span)
        .filter(({ minor }) => minor !== 0n)
        .map((one) => ({ ...one, events: 1 }));
      expect(byKind(found.terms), what).toEqual(byKind(terms));
    }
  }
});

test('the filter of each term lists exactly its events', async () => {
  const span = [1_204, events.length - 31] as const;
  for (const { account, asset } of BOTH) {
    const { terms } = await explainBalance(db, { account, asset, from: span[0], at: span[1] });
    for (const term of terms) {
      const what = `${term.type}, ${asset} of ${account}`;
      const listed = new Set(await positionsOf(term.filter));
      const own = movements(account, asset, span).filter(({ position }) => listed.has(position));
      expect(listed.size, what).toBe(term.events);
      expect(total(own), what).toBe(term.minor);
      expect(
        own.every(({ minor }) => minor > 0n === term.credit),
        what,
      ).toBe(true);
    }
  }
});

test('the filter of an account of the house lists exactly what moved it', async () => {
  for (const account of HOUSE_ACCOUNTS) {
    for (const asset of ASSETS) {
      const own = movements(account, asset, [0, events.length]);
      expect(new Set(await positionsOf({ account, asset })), `${asset} of ${account}`).toEqual(
        new Set(own.map(({ position }) => position)),
      );
      for (const { type } of own) expect(MOVED_BY[account][asset], account).toContain(type);
    }
  }
});

test('every kind of movement is in the ledger', () => {
  for (const account of HOUSE_ACCOUNTS) {
    for (const asset of ASSETS) {
      const types = movements(account, asset, [0, events.length]).map(({ type }) => type);
      expect(new Set(types), account).toEqual(new Set(MOVED_BY[account][asset]));
    }
  }
});

test('fees are earned when their withdrawal is paid', async () => {
  for (const [, at] of spans) {
    const paid = events
      .slice(0, at)
      .flatMap(({ event }) => (event.type === 'WithdrawalFinalized' ? [event.data] : []));
    const earned = paid.reduce((sum, { feeMinor }) => sum + feeMinor, 0n);
    expect(await readEarnedFees(db, at)).toBe(earned);
  }
});

test('another name is no account', async () => {
  for (const account of ['fees-earned', 'players', 'house ', '', 'player:', 'player:short']) {
    const explained = explainBalance(db, { account, asset: 'token', from: 0, at: events.length });
    expect(await explained.catch((error: unknown) => error), account).toBeInstanceOf(Unanswerable);
  }
});

test('a balance is explained as far as the read models are', async () => {
  expect(await readExplainable(db)).toBe(events.length);
  const beyond = { account: 'house', asset: 'points', from: 0, at: events.length + 1 } as const;
  await expect(explainBalance(db, beyond)).rejects.toThrow(PositionNotReached);
  const owner = database.pool('owner');
  const move = (position: number) =>
    owner.query(`update checkpoints set position = $1 where name = 'account-sums'`, [position]);
  await move(1_500);
  expect(await readExplainable(db)).toBe(1_999);
  const last = await explainBalance(db, { ...beyond, at: 1_999 });
  expect(last.openingMinor + total(last.terms)).toBe(last.balanceMinor);
  await expect(explainBalance(db, { ...beyond, at: 2_000 })).rejects.toThrow(PositionNotReached);
  await move(events.length);
});

async function positionsOf(filter: ExplorerFilter): Promise<readonly number[]> {
  const found: number[] = [];
  for (let before: number | undefined; ; ) {
    const page = await readExplorer(db, { filter, before, limit: 500 });
    found.push(...page.entries.map(({ position }) => position));
    if (page.next === null) return found;
    before = page.next;
  }
}
