import { DAY_MS } from '@reelbook/ledger/calendar';
import type { TestDatabase } from './database.ts';

/** The clock of a test's database and of its process, which are equal: it continues from the time that is set. */
export interface FakeClock {
  /** Time never runs backwards in a ledger: setting it back stops it at the time of the last event. */
  set(time: string): Promise<void>;
  forward(byMs: number): Promise<void>;
}

/** Open it before the connections that use it. Ends with the database. */
export async function openFakeClock(database: TestDatabase): Promise<FakeClock> {
  const pool = database.pool('owner', 1);
  const { drop } = database;
  const { now } = Date;
  let aheadMs = 0;
  Date.now = () => now() + aheadMs;
  database.drop = () => {
    Date.now = now;
    return drop();
  };
  await pool.query(`
    create schema fake;
    create table fake.clock (ahead interval not null);
    insert into fake.clock values ('0');
    create function fake.clock_timestamp() returns timestamptz language sql volatile security definer
      as 'select pg_catalog.clock_timestamp() + ahead from fake.clock';
    grant usage on schema fake to public;
    do $$
    begin
      execute format('alter database %I set search_path = fake, pg_catalog, public', current_database());
      execute format('alter function %s set search_path = fake, pg_catalog, public, pg_temp',
        'append'::regproc::regprocedure);
    end $$`);
  return {
    async set(time) {
      aheadMs = Date.parse(time) - now();
      await pool.query(
        'update fake.clock set ahead = $1::timestamptz - pg_catalog.clock_timestamp()',
        [time],
      );
    },
    async forward(byMs) {
      aheadMs += byMs;
      await pool.query(
        'update fake.clock set ahead = ahead + make_interval(secs => $1::float8 / 1000)',
        [byMs],
      );
    },
  };
}

/** Selects the findings of an audit that are not of the fake clock, which changes `append` and the search path. */
export const notOfFakeClock = ({ check }: { readonly check: string }) => check !== 'catalogue';

/** The next noon UTC. */
export const NOON = new Date((Math.ceil(Date.now() / DAY_MS - 0.5) + 0.5) * DAY_MS).toISOString();

/** For `prepare` of a site whose tests need that no day, and so no allowance or limit of a day, ends during them. */
export async function atNoon(database: TestDatabase): Promise<void> {
  await (await openFakeClock(database)).set(NOON);
}
