import type { EngineHistory, HistoryPeriod } from '@reelbook/contract/admin/engine';
import { rowsOf } from '@reelbook/event-store/query';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import { readLag } from '@reelbook/projections/lag';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import { sql } from 'kysely';
import type pg from 'pg';

const MINUTE_MS = 60_000;
/** A longer time between two samples is a gap: nothing is known about it. */
const GAP_S = 90;
const KEEP = '8 days';
const PUBLISHER = 'publisher';

/** Number of points of a period, and the length of each in seconds. */
const PERIODS = {
  hour: { points: 60, each: 60 },
  day: { points: 96, each: 900 },
  week: { points: 84, each: 7_200 },
} as const satisfies Record<HistoryPeriod, object>;

/** Takes a sample in every minute until `signal` aborts. Several processes may do so: the first of a minute writes. */
export async function takeSamples(pool: pg.Pool, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await takeSample(pool).catch((error: unknown) => log.warn({ err: error }, 'no sample taken'));
    await pause(MINUTE_MS - (Date.now() % MINUTE_MS), signal);
  }
}

/** The sample of the current minute, and the end of those older than eight days. */
export async function takeSample(pool: pg.Pool): Promise<void> {
  const [lags, { position }] = [await readLag(pool), await readHead(pool)];
  const own = new Set(projections.map(({ name, version }) => `${name} ${version}`));
  const slowest = lags
    .filter(({ name, version }) => own.has(`${name} ${version}`))
    .reduce<{ name: string | null; behindSeconds: number }>(
      (worst, lag) => (lag.behindSeconds > worst.behindSeconds ? lag : worst),
      { name: null, behindSeconds: 0 },
    );
  const publisherS = lags.find(({ name }) => name === PUBLISHER)?.behindSeconds ?? 0;
  await pool.query(TAKE, [position, slowest.name, slowest.behindSeconds, publisherS]);
}

const TAKE = `
  with old as (delete from samples where at < now() - interval '${KEEP}')
  insert into samples (at, position, projection, projection_behind_s, publisher_behind_s)
  values (date_trunc('minute', now()), $1, $2, $3, $4)
  on conflict (at) do nothing`;

/** Rates and lag of a period that ends now; points without a sample are null. */
export async function readHistory(pool: pg.Pool, period: HistoryPeriod): Promise<EngineHistory> {
  const { points, each } = PERIODS[period];
  const rows = await rowsOf(pool, historyOf(points, each));
  return {
    period,
    each_s: each,
    points: rows.map(({ at, ...row }) => ({ at: new Date(at).toISOString(), ...row })),
  };
}

/** SQL: the steps of the period, each with what its samples say; a sample after a gap has no rate. */
function historyOf(points: number, each: number) {
  const step = sql.lit(`${each} seconds`);
  const gap = sql.lit(`${GAP_S} seconds`);
  const binOf = (time: string) => sql`date_bin(${step}::interval, ${sql.raw(time)}, 'epoch')`;
  return sql<EngineHistory['points'][number]>`
  with steps as (
    select last - ago * ${step}::interval as at
    from (select ${binOf('now()')} as last) as ends, generate_series(0, ${sql.lit(points - 1)}) as ago
  ), taken as (
    select *, at - before as since, position - before_position as events
    from (
      select *, lag(at) over own as before, lag(position) over own as before_position
      from samples
      where at >= (select min(at) from steps) - ${gap}::interval
      window own as (order by at)
    ) as each_sample
  ), rates as (
    select ${binOf('at')} as at,
      (sum(events) filter (where since <= ${gap}::interval)
        / extract(epoch from sum(since) filter (where since <= ${gap}::interval))
      )::float8 as events_per_s,
      max(projection_behind_s) as projection_behind_s,
      (array_agg(projection order by projection_behind_s desc, at))[1] as projection,
      max(publisher_behind_s) as publisher_behind_s
    from taken group by 1
  )
  select steps.at, events_per_s, projection_behind_s, projection, publisher_behind_s
  from steps left join rates using (at) order by at`;
}
