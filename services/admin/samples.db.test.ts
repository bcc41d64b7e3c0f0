import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHistory, takeSample } from './samples.ts';

let database: TestDatabase;
let pool: pg.Pool;
let begin: Date;
beforeEach(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const { rows } = await pool.query(`select date_trunc('minute', now())::text as minute`);
  begin = new Date(rows[0].minute);
});
afterEach(() => database.drop());

const minutesBefore = (minutes: number) =>
  new Date(begin.getTime() - minutes * 60_000).toISOString();

async function given(minutesAgo: number, position: number, lagS = 0): Promise<void> {
  await pool.query(
    `insert into samples values ($1, $2, case when $3::float8 > 0 then 'entries' end, $3, $3 / 2)`,
    [minutesBefore(minutesAgo), position, lagS],
  );
}

test('the first process of a minute writes its sample; old ones end', async () => {
  await pool.query(
    `insert into samples values (date_trunc('minute', now()) - interval '8 days 1 minute', 1, null, 0, 0)`,
  );
  await given(7 * 1_440, 1);
  await Promise.all([takeSample(pool), takeSample(pool), takeSample(pool)]);
  await takeSample(pool);
  const { rows } = await pool.query<{ old: number; taken: number; minutes: number }>(
    `select count(*) filter (where at < $1)::int as old, count(*) filter (where at >= $1)::int as taken,
      extract(epoch from date_trunc('minute', now()) - $1)::int / 60 + 1 as minutes from samples`,
    [begin],
  );
  const [{ old, taken, minutes } = { old: 0, taken: 0, minutes: 0 }] = rows;
  expect([old, taken > 0 && taken <= minutes]).toEqual([1, true]);
});

test('rates between samples in a row, the longest lag, and gaps', async () => {
  await given(50, 1_000);
  await given(49, 1_600, 3);
  // No process ran for a quarter of an hour: 9,000 events, at unknown times.
  await given(34, 10_600, 7);
  await given(33, 10_600);
  const hour = await readHistory(pool, 'hour');
  expect([hour.each_s, hour.points.length]).toEqual([60, 60]);
  const known = hour.points.filter((point) => point.projection_behind_s !== null);
  const fine = { projection: null, projection_behind_s: 0, publisher_behind_s: 0 };
  expect(known).toEqual([
    { at: minutesBefore(50), events_per_s: null, ...fine },
    {
      at: minutesBefore(49),
      events_per_s: 10,
      projection: 'entries',
      projection_behind_s: 3,
      publisher_behind_s: 1.5,
    },
    {
      at: minutesBefore(34),
      events_per_s: null,
      projection: 'entries',
      projection_behind_s: 7,
      publisher_behind_s: 3.5,
    },
    { at: minutesBefore(33), events_per_s: 0, ...fine },
  ]);
  const day = await readHistory(pool, 'day');
  expect([day.each_s, day.points.length]).toEqual([900, 96]);
  expect(Math.max(...day.points.map((point) => point.projection_behind_s ?? 0))).toBe(7);
  const week = await readHistory(pool, 'week');
  expect([week.each_s, week.points.length]).toEqual([7_200, 84]);
  const last = week.points.filter((point) => point.events_per_s !== null);
  // 600 events in the two minutes between samples in a row, unless the period of two hours changed in between.
  expect(last.reduce((sum, point) => sum + (point.events_per_s ?? 0), 0)).toBeGreaterThanOrEqual(5);
});
