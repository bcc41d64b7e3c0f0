import { READ_LOG_LIMIT_MAX, readLog } from '@reelbook/event-store/read-log';
import type { ReadModelCommand } from '@reelbook/ledger/operators/projection-actions';
import { createPlayedLedger, type PlayedLedger } from '@reelbook/testing/played-ledger';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { balances } from './balances/projection.ts';
import { entries } from './entries/projection.ts';
import type { Projection } from './projection.ts';
import { carryOut, type RebuildAction, recordActions } from './recorded-action.ts';
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

const pool = () => ledger.database.pool('projector', 6);

async function act(operation: RebuildAction, projections: readonly Projection[]) {
  const recorded: ReadModelCommand[] = [];
  const o = { projections, act: operation, holder: 'test', steps: {} };
  const error = await recordActions(
    {
      ...{ pool: pool(), projections, act: operation, job: 1, reason: 'a test' },
      append: async (command) => void recorded.push(command),
      wasCancelled: () => false,
    },
    (onDone) => carryOut(pool(), { ...o, onDone }),
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

/** The oid of the live table. */
async function liveTable(name: string): Promise<number> {
  const { rows } = await pool().query<{ oid: number }>(
    `select 'projections.${name}'::regclass::oid as oid`,
  );
  return rows[0]?.oid ?? 0;
}

test('of several, a switched one is recorded as done even when the next one fails', async () => {
  const { error, ends } = await act('switch', [balances, incomparable, seeds]);
  expect(error).toContain('no_such_column');
  expect(ends).toEqual(['balances done', 'entries failed', 'seeds failed']);
});

test('several go back only if each has a replaced copy', async () => {
  await act('switch', [balances]);
  const live = await liveTable('balances_v1');
  const { error, ends } = await act('back', [balances, entries]);
  expect(error).toContain('nothing to go back to: entries');
  expect(ends).toEqual(['balances failed', 'entries failed']);
  expect(await liveTable('balances_v1')).toBe(live);
});

test('of several, those that went back are named when the next one fails', async () => {
  await act('switch', [balances, entries]);
  const { error, ends } = await act('back', [balances, incomparable]);
  expect(error).toContain('Already back: balances');
  expect(ends).toEqual(['balances done', 'entries failed']);
});

test('the end of a rebuild has the rows that differed, bounded', async () => {
  const owner = ledger.database.pool('owner', 1);
  await owner.query('update projections.balances_v1 set points = points + 7');
  const { rows } = await owner.query<{ row: string }>(
    'select t::text as row from projections.balances_v1 as t order by 1',
  );
  const { different } = await act('rebuild', [balances, seeds]);
  expect(different).toEqual([
    {
      ...{ table: 'balances_v1', position: expect.any(Number), count: 2 * rows.length },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...{ live: rows.map(({ row }) => row), replayed: rows.map(() => expect.any(String)) },
    },
  ]);
  await owner.query(`insert into projections.balances_v1 select 'w' || n, n, 0, 1, 1
    from generate_series(1, 30000) as n`);
  const { different: many } = await act('rebuild', [balances]);
  expect([many[0]?.count, many[0]?.live.length]).toEqual([10_000 + rows.length, 20]);
});
