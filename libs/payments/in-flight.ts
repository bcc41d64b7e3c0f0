import type { EventType } from '@reelbook/ledger/event-types';
import { IN_FLIGHT_MAX_MS, InFlight } from '@reelbook/ledger/treasury/in-flight';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import type pg from 'pg';
import type { Solvency } from './solvency.ts';

/** Limit of movements of the last hour, per kind. The audit reads all. */
const MOVES_MAX = 5_000;

/**
 * The minimum in flight during the last hour, by the ledger's events; 0 if nothing was in flight at some time. Only the
 * events that `solvency` includes count: others may have been appended since it was read.
 */
export async function readStuckMinor(
  pool: pg.Pool,
  solvency: Pick<Solvency, 'inFlightMinor' | 'position' | 'reached'>,
): Promise<bigint> {
  const { inFlightMinor, position, reached } = solvency;
  const { rows } = await pool.query<{ now_ms: number; at_ms: number; delta: string }>({
    name: 'read-in-flight',
    text: SQL,
    values: [MOVES_MAX, IN_FLIGHT_MAX_MS, position, reached],
  });
  const inFlight = new InFlight();
  let minor = rows.reduce((sum, { delta }) => sum - BigInt(delta), inFlightMinor);
  inFlight.move(minor, Number.MIN_SAFE_INTEGER);
  for (const { at_ms: atMs, delta } of rows) {
    minor += BigInt(delta);
    inFlight.move(minor, atMs);
  }
  return inFlight.stuckMinor(rows[0]?.now_ms ?? Number.MAX_SAFE_INTEGER);
}

/** Events that move the chain's account, see `postings`. */
const OVER_CHAIN: readonly EventType[] = [
  'DepositCredited',
  'WithdrawalFinalized',
  'UnmatchedDepositSeen',
];

const MS = 'extract(epoch from recorded_at)::float8 * 1000 as at_ms';
/** Raw SQL, because it reads numbers from JSON bodies in a union of two lists. */
const SQL = `
  select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, at_ms, delta::text as delta
  from (
    (select ${MS}, position, case when moved.type = 'WithdrawalFinalized'
          then (body->'data'->>'netMinor')::numeric
          else -(body->'data'->>'amountMinor')::numeric end as delta
      from unnest(array[${numbersOf(OVER_CHAIN)}]) as over_chain(type), lateral (
        select position from projections.entries_v1 as e
        where e.type = over_chain.type and e.type > 3 and position <= $4
        order by position desc limit $1) as entry
      join events as moved using (position)
      where coalesce(body->'data'->>'from', 'chain') = 'chain'
      order by position desc limit $1)
    union all
    (select ${MS}, position, coalesce((body->'data'->>'netDepositsMinor')::numeric, 0)
        - coalesce((body->'data'->>'previousNetDepositsMinor')::numeric, 0) as delta
      from events where stream = stream_key('treasury') and type = 'TreasuryObserved'
        and position <= $3
      order by version desc limit $1)) as moves
  where at_ms > extract(epoch from clock_timestamp())::float8 * 1000 - $2::float8
  order by position`;
