/**
 * Whether the database is as the migrations and the ledger made it. A fault is for operators and stops automatic payments;
 * it never takes a process out, because a site that continues can be examined.
 */
import type pg from 'pg';
import { catalogueFaults } from './catalogue.ts';
import { schemaFault } from './schema.ts';

/** A reading costs Postgres some 25 ms; one that is older than this is repeated. */
const READING_TTL_MS = 10_000;
const TEXTS_MAX = 3;

/** Stored positions that the ledger has not reached: their followers would omit the events up to them. */
export async function positionFaults(db: pg.Pool | pg.PoolClient): Promise<readonly string[]> {
  const { rows } = await db.query<{ fault: string }>(
    `with head as (select coalesce(max(position), 0) as position from events)
    select format('the checkpoint of %s v%s is at #%s; the ledger ends at #%s', name, version,
        checkpoints.position, head.position) as fault
      from checkpoints join head on checkpoints.position > head.position
    order by 1`,
  );
  return rows.map(({ fault }) => fault);
}

const readings = new WeakMap<pg.Pool, { readonly atMs: number; fault: Promise<string | null> }>();

/** The faults as one text, or null. `pool` has the role app. */
export function integrityFault(pool: pg.Pool): Promise<string | null> {
  const last = readings.get(pool);
  if (last && performance.now() - last.atMs < READING_TTL_MS) return last.fault;
  const fault = readFault(pool);
  readings.set(pool, { atMs: performance.now(), fault });
  fault.catch(() => readings.delete(pool));
  return fault;
}

async function readFault(pool: pg.Pool): Promise<string | null> {
  const schema = await schemaFault(pool);
  if (schema !== null) return schema;
  const faults = [...(await catalogueFaults(pool)), ...(await positionFaults(pool))];
  const more = faults.length > TEXTS_MAX ? `; and ${faults.length - TEXTS_MAX} more` : '';
  return faults.length === 0 ? null : faults.slice(0, TEXTS_MAX).join('; ') + more;
}

/** For health checks. `ledger` reports a database of another build. */
export const integrityCheck = (pool: pg.Pool) => ({
  name: 'integrity',
  optional: true,
  isPrivate: true,
  check: async () => ((await schemaFault(pool)) === null ? integrityFault(pool) : null),
});
