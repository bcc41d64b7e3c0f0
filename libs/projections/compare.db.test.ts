import { readLog } from '@reelbook/event-store/read-log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { recordRareEvents } from '@reelbook/testing/played-ledger';
import { startProjecting } from '@reelbook/testing/projecting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projections } from './all.ts';
import { replayAndCompare } from './compare.ts';
import { readLag } from './lag.ts';

let database: TestDatabase;
const history = createHistory();

/** Every kind of event, drawn from a fixed seed, so that a failure can be repeated. */
function recordAll(rounds: number): void {
  for (let n = 0; n < 7; n++) history.register(walletOf(n), n === 3 ? 0n : 1_000_000n);
  for (let i = 0; i < rounds; i++) {
    const wallet = walletOf([0, 1, 2, 4, 5, 6][i % 6] as number);
    history.bet(wallet, 100n, BigInt((i * 7) % 13 === 0 ? 1_000 : (i % 3) * 75));
    if (i % 9 === 0) recordRound(i);
    if (i % 11 === 0) history.rename(wallet, `Player ${i}`);
    if (i % 17 === 0) history.rotate(wallet);
    if (i % 19 === 0) history.exchange(wallet, 'points', 1_000n);
    if (i % 23 === 0) history.readNotifications(wallet, i % 2 === 0 ? 'all' : 1);
    if (i % 29 === 0) history.setBigWinMultiple(1 + (i % 4));
  }
}

/** Timed rounds are another player's: an open one would keep the others from rotating. */
function recordRound(i: number): void {
  const [lasting, game] = [walletOf(7), ['tetris', 'snake'][i % 2] as string];
  if (i === 0) history.register(lasting);
  history.start(lasting, game, 1 + (i % 5));
  if (i < 100) history.settle(lasting, game, [0n, 5_000n, 'void' as const][i % 3] as bigint);
}

beforeAll(async () => {
  database = await createDatabase();
  recordAll(120);
  recordRareEvents(history);
  await history.appendTo(database.pool('app'));
});
afterAll(() => database.drop());

test.each(projections)(
  '$name equals its replay with any batches, and a changed row is found',
  async (projection) => {
    const pool = database.pool('app');
    const owner = database.pool('owner');
    const events = await readLog(pool, { from: 1, limit: 10_000 });
    const { name, tables } = projection;
    const projecting = await startProjecting(database, projection);
    const nothingYet = { equal: true, position: 0, rows: 0, firstDifference: null };
    expect(await replayAndCompare(pool, projection), name).toEqual(nothingYet);
    await projecting.applyInBatches(events.slice(0, 100), 1);
    await projecting.applyInBatches(events.slice(0, 131), 7);
    await projecting.applyInBatches(events, 50);
    const reached: number[] = [];
    const onProgress = (position: number) => void reached.push(position);
    const compared = await replayAndCompare(pool, projection, { upTo: events.length, onProgress });
    expect(compared, name).toMatchObject({ equal: true, position: events.length });
    expect(compared.rows, `a row of ${name}: add an event to recordRareEvents`).toBeGreaterThan(0);
    expect(reached).toEqual([events.length]);

    const table = tables.at(-1)?.name ?? '';
    const kept = `kept_${table}`;
    await owner.query(`create table ${kept} as select * from projections.${table};
    delete from projections.${table} where ctid = (select max(ctid) from projections.${table})`);
    const missing = await replayAndCompare(pool, projection);
    expect(missing, name).toMatchObject({ equal: false, firstDifference: { table } });
    expect(missing.firstDifference?.live, name).not.toEqual(missing.firstDifference?.replayed);
    const { rows } = await owner.query<{ given: string }>(
      `select string_agg(quote_ident(column_name), ', ') as given from information_schema.columns
      where table_schema = 'projections' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const given = rows[0]?.given;
    await owner.query(`delete from projections.${table};
    insert into projections.${table} (${given}) select ${given} from ${kept}; drop table ${kept}`);
    expect(await replayAndCompare(pool, projection), name).toMatchObject({ equal: true });

    const beyond = replayAndCompare(pool, projection, { upTo: 1_000_000 });
    expect(await beyond.then(() => 'compared', String), name).toContain('has not reached');
    expect((await readLag(pool)).find((one) => one.name === name)).toMatchObject({
      behindPositions: 0,
      behindSeconds: 0,
      status: 'running',
    });
  },
);
