import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSums, type Sum } from './balances.ts';
import { entries, SUMS_BLOCK } from './projection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const [BUSY, QUIET] = [walletOf(1), walletOf(2)] as const;

test('sums by type of any span equal the sums of its events', async () => {
  const projecting = await startProjecting(database, entries);
  const db = database.pool('app');
  const history = createHistory();
  for (const wallet of [BUSY, QUIET]) history.register(wallet, 100_000_000n);
  for (let i = 0; i < 2.5 * SUMS_BLOCK; i++) {
    history.bet(BUSY, 100n, BigInt((i % 4) * 60));
    if (i % 50 === 0) history.bet(QUIET, 200n, 0n);
    if (i % 333 === 0) history.exchange(BUSY, 'points', 10_000n);
    // Some batches complete no block, and the last one several.
    if (i === 600 || i === 1_000) await projecting.applyInBatches(history.recorded(), 97);
  }
  const events = history.recorded();
  await projecting.applyInBatches(events, events.length);
  const { rows } = await db.query('select max(block) as last from projections.entries_sums_v1');
  expect(rows[0].last).toBeGreaterThan(2);

  const { length: end } = events;
  const spans = [
    [0, end],
    [0, 1],
    [end, end + 9],
    [7, 3],
    [1, 1_400],
    [600, 3_333],
    [2_222, 2_229],
  ];
  for (let from = 13; from < end; from += 577) spans.push([from, end - 11], [from, from + 2_100]);
  for (const [after = 0, until = 0] of spans) {
    for (const wallet of [BUSY, QUIET, walletOf(3)]) {
      const sums = await readSums(db, { wallet, after, until });
      expect(sums, `${wallet} ${after}..${until}`).toEqual(addUp(events, { wallet, after, until }));
    }
  }
});

function addUp(
  events: readonly RecordedEvent[],
  options: { readonly wallet: string; readonly after: number; readonly until: number },
): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { event, position, stream } of events) {
    if (
      stream !== playerStream(options.wallet) ||
      position <= options.after ||
      position > options.until
    )
      continue;
    const own = postings(event, options.wallet).filter(({ account }) =>
      account.startsWith('player:'),
    );
    const of = (asset: string) =>
      own.reduce((sum, one) => sum + (one.asset === asset ? one.deltaMinor : 0n), 0n);
    const before = sums.get(event.type) ?? { events: 0, pointsMinor: 0n, tokenMinor: 0n };
    sums.set(event.type, {
      events: before.events + 1,
      pointsMinor: before.pointsMinor + of('points'),
      tokenMinor: before.tokenMinor + of('token'),
    });
  }
  return sums;
}
