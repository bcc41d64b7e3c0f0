import { READ_LOG_LIMIT_MAX, readLog } from '@reelbook/event-store/read-log';
import type { ReadModelCommand } from '@reelbook/ledger/operators/projection-actions';
import { createPlayedLedger, type PlayedLedger } from '@reelbook/testing/played-ledger';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { balances } from './balances/projection.ts';
import { entries } from './entries/projection.ts';
import type { Projection } from './projection.ts';
import { rebuild } from './rebuild.ts';
import { recordActions } from './recorded-action.ts';
import { seeds } from './seeds/projection.ts';

/** Applies events, but cannot be compared: it fails once those before it are done. */
const incomparable: Projection = {
  ...entries,
  tables: entries.tables.map((table) => ({ ...table, key: ['no_such_column'] })),
};

let ledger: PlayedLedger;
beforeEach(async () => {
  ledger = await createPlayedLedger();
  await ledger.play(20);
  const events = await readLog(pool(), { from: 1, limit: READ_LOG_LIMIT_MAX });
  for (const projection of [balances, entries, seeds]) {
    const projecting = await startProjecting(ledger.database, projection);
    await projecting.applyInBatches(events, 100);
  }
});
afterEach(() => ledger.database.drop());

const pool = () => ledger.database.pool('owner', 6);

async function act(projections: readonly Projection[]) {
  const recorded: ReadModelCommand[] = [];
  const error = await recordActions(
    {
      pool: pool(),
      projections,
      act: 'switch',
      job: 1,
      reason: 'a test',
      append: async (command) => void recorded.push(command),
      wasCancelled: () => false,
    },
    (onRebuilt) => rebuild(pool(), projections, { onRebuilt }),
  ).then(
    () => null,
    (failure: Error) => failure.message,
  );
  const ends = recorded.flatMap((one) =>
    one.type === 'FinishReadModelOperation' ? [{ ...one, name: one.readModel }] : [],
  );
  expect(recorded).toHaveLength(projections.length + ends.length);
  const different = ends.flatMap((end) => end.different ?? []);
  return { error, different, ends: ends.map(({ name, outcome }) => `${name} ${outcome}`) };
}

test('of several, a switched one is recorded as done even when the next one fails', async () => {
  const { error, ends } = await act([balances, incomparable, seeds]);
  expect(error).toContain('no_such_column');
  expect(ends).toEqual(['balances done', 'entries failed', 'seeds failed']);
});

test('the end of a rebuild has the rows that differed, bounded', async () => {
  const owner = ledger.database.pool('owner', 1);
  await owner.query('update projections.balances_v1 set points = points + 7');
  const { rows } = await owner.query<{ row: string }>(
    'select t::text as row from projections.balances_v1 as t order by 1',
  );
  const { different } = await act([balances, seeds]);
  expect(different).toEqual([
    {
      table: 'balances_v1',
      position: expect.any(Number),
      count: 2 * rows.length,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      live: rows.map(({ row }) => row),
      replayed: rows.map(() => expect.any(String)),
    },
  ]);
  await owner.query(`insert into projections.balances_v1 select 'w' || n, n, 0, 1, 1
    from generate_series(1, 30000) as n`);
  const { different: many } = await act([balances]);
  expect([many[0]?.count, many[0]?.live.length]).toEqual([10_000, 20]);
});
