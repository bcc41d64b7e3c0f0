import type pg from 'pg';
import { catalogueFaults, keepReadings } from './catalogue.ts';
import { migrationsFault } from './migrate.ts';

/**
 * Whether the database is as the migrations and the ledger made it. A fault is for operators and stops automatic payments;
 * it never takes a process out, because a site that continues can be examined.
 */

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

/** The faults as one text, or null. `pool` has the role app. */
export const integrityFault = keepReadings(readFault);

async function readFault(pool: pg.Pool): Promise<string | null> {
  const migrations = await migrationsFault(pool);
  if (migrations !== null) return migrations;
  const faults = [...(await catalogueFaults(pool)), ...(await positionFaults(pool))];
  const more = faults.length > TEXTS_MAX ? `; and ${faults.length - TEXTS_MAX} more` : '';
  return faults.length === 0 ? null : faults.slice(0, TEXTS_MAX).join('; ') + more;
}

/** For health checks. `ledger` reports a database of another build. */
export const integrityCheck = (pool: pg.Pool) => ({
  name: 'integrity',
  optional: true,
  isPrivate: true,
  check: async () => ((await migrationsFault(pool)) === null ? integrityFault(pool) : null),
});
