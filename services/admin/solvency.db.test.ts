import { READ_LOG_LIMIT_MAX, readLog } from '@reelbook/event-store/read-log';
import { readMovements } from '@reelbook/inspection/explain-balance';
import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { marginDeltaMinor } from '@reelbook/ledger/invariants';
import { parseStream } from '@reelbook/ledger/streams';
import { accountSums } from '@reelbook/projections/account-sums/projection';
import { HOUSE_ACCOUNTS } from '@reelbook/projections/entries/filter';
import { entries } from '@reelbook/projections/entries/projection';
import { withdrawals } from '@reelbook/projections/withdrawals/projection';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { recordMovements } from '@reelbook/testing/every-movement';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { SEED } from '@reelbook/testing/seeds';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Admin, AdminRequest } from './context.ts';
import { financeReads, readSolvencyAnswer } from './reads/finance.ts';

let database: TestDatabase;
let db: pg.Pool;
let events: readonly RecordedEvent[];

beforeAll(async () => {
  database = await createDatabase();
  db = database.pool('app');
  const history = createHistory();
  history.setBigWinMultiple(4);
  recordMovements(history, { steps: 1_500, seed: SEED });
  await history.appendTo(db);
  events = await readLog(db, { from: 1, limit: READ_LOG_LIMIT_MAX });
  for (const projection of [entries, accountSums, withdrawals]) {
    const projecting = await startProjecting(database, projection);
    await projecting.applyInBatches(events, 500);
  }
});
afterAll(() => database.drop());

const sum = (terms: readonly { readonly amount: { readonly minor: string } }[]) =>
  terms.reduce((total, { amount }) => total + BigInt(amount.minor), 0n);

test('the terms of the margin add up to the margin of the ledger, as of any position', async () => {
  for (const at of [1, 2, 40, 777, 1_000, 1_001, 1_204, events.length]) {
    const expected = events.slice(0, at).reduce((total, { event, stream }) => {
      return total + marginDeltaMinor([event], parseStream(stream).id);
    }, 0n);
    const found = await readSolvencyAnswer(db, { at });
    expect(found.position).toBe(at);
    expect(BigInt(found.margin.minor), `${at}`).toBe(expected);
    expect(sum(found.margin_terms)).toBe(expected);
    expect(sum(found.own_terms)).toBe(expected);
    const { amount, margin_after } = found.points_value;
    expect(BigInt(margin_after.minor)).toBe(expected - BigInt(amount.minor));
    // 100 points, in hundredths, are 1 BSM, in 10^-9.
    expect(BigInt(amount.minor)).toBe(BigInt(found.points_held.minor) * 100_000n);
  }
  const { rows } = await db.query('select token_margin::text as margin from ledger_head');
  expect((await readSolvencyAnswer(db)).margin.minor).toBe(rows[0].margin);
});

test.each([
  [['https://a.example.com/key', 'https://b.example.com'], false, true],
  [['https://a.example.com', 'https://b.example.org'], false, false],
  [['http://127.0.0.1:8899'], true, false],
  [null, false, false],
])('RPCs %j, of a local chain: %s, are of one provider: %s', async (urls, localChain, expected) => {
  const chain = { urls, wallets: null, accepted: [], folder: null };
  const work = { databaseUrl: '', chain };
  const given = { pool: db, settings: { localChain }, work };
  const { solvency } = financeReads(given as unknown as Admin);
  const { data } = await solvency({ query: {} } as AdminRequest<'solvency'>);
  expect(data.single_provider).toBe(expected);
});

test('movements of an account are those of a plain fold, page by page', async () => {
  for (const account of [...HOUSE_ACCOUNTS, `player:${walletOf(1)}`]) {
    for (const asset of ['points', 'token'] as const) {
      let afterMinor = 0n;
      const expected = events.flatMap(({ event, stream, position }) => {
        const legs = postings(event, parseStream(stream).id).filter(
          (leg) => leg.account === account && leg.asset === asset,
        );
        if (legs.length === 0) return [];
        const deltaMinor = legs.reduce((total, leg) => total + leg.deltaMinor, 0n);
        afterMinor += deltaMinor;
        return [{ position, deltaMinor, afterMinor }];
      });
      const found = [];
      for (let before: number | undefined; ; ) {
        const page = await readMovements(db, { account, asset, before, limit: 97 });
        found.push(
          ...page.movements.map(({ recorded: { position }, ...moved }) => ({ position, ...moved })),
        );
        if (page.next === null) break;
        before = page.next;
      }
      expect(found.toReversed(), `${account} ${asset}`).toEqual(expected);
    }
  }
});
