import { randomBytes } from 'node:crypto';
import { openPool, type Role } from '@reelbook/event-store/db';
import type pg from 'pg';
import { inject } from 'vitest';
import { reach, withDatabase } from './global-database.ts';
import { WAIT } from './wait.ts';

export interface TestDatabase {
  /** Logs in as a superuser, to this database. */
  readonly url: string;
  /** A pool in that role; closed by `drop`, so a test need not. */
  pool(role: Role, max?: number): pg.Pool;
  /** Closes the pools and drops the database. Throws when something else is connected for longer: a leak of the test. */
  drop: (waitMs?: number) => Promise<void>;
  /**
   * Keeps a copy of what it has now. `goBack` puts the copy in its place, as a restore or an older standby does: every connection
   * ends, and later ones lead to the copy.
   */
  keepCopy: () => Promise<{ goBack(): Promise<void> }>;
}

const POOL_MAX = 4;

/**
 * A database of one's own with the facts' schema, empty: a copy of the template, made in some tens of milliseconds.
 * `bare` has not even the schema.
 */
export async function createDatabase(o: { readonly bare?: boolean } = {}): Promise<TestDatabase> {
  const cluster = inject('cluster');
  const name = `reelbook_test_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(cluster.url, name);
  await administer(cluster.url, (pool) =>
    pool.query(`create database ${name} template ${o.bare ? 'template0' : cluster.template}`),
  );
  const pools: pg.Pool[] = [];
  return {
    url,
    pool(role, max = POOL_MAX) {
      const pool = openPool({ url, role, max, name: `test-${role}` });
      pools.push(pool);
      return pool;
    },
    async keepCopy() {
      const copy = `${name}_${randomBytes(3).toString('hex')}`;
      await administer(cluster.url, async (pool) => {
        await disconnectAll(pool, name);
        await pool.query(`create database ${copy} template ${name}`);
        await pool.query(`alter database ${name} allow_connections true`);
      });
      return {
        goBack: () =>
          administer(cluster.url, async (pool) => {
            await disconnectAll(pool, name);
            await pool.query(`drop database ${name}`);
            await pool.query(`alter database ${copy} rename to ${name}`);
          }),
      };
    },
    async drop(waitMs = WAIT.timeout) {
      await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
      const leaked = await administer(cluster.url, async (pool) => {
        const names = await leftConnections(pool, name, waitMs);
        await pool.query(`drop database ${name} with (force)`);
        return names;
      });
      if (leaked.length > 0) {
        throw new Error(`connections left open at the end of the test: ${leaked.join(', ')}`);
      }
    },
  };
}

async function administer<T>(url: string, act: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = openPool({ url, role: 'owner', max: 1, name: 'test-admin' });
  try {
    await reach(pool);
    return await act(pool);
  } finally {
    await pool.end();
  }
}

/** Until connections are allowed again. */
async function disconnectAll(pool: pg.Pool, database: string): Promise<void> {
  await pool.query(`alter database ${database} allow_connections false`);
  await pool.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
    [database],
  );
}

/** A connection closed by the client stays in the server's list for a short time. */
async function leftConnections(
  pool: pg.Pool,
  database: string,
  waitMs: number,
): Promise<readonly string[]> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { rows } = await pool.query<{ application_name: string }>(
      "select application_name from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [database],
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map((row) => row.application_name);
    await new Promise((resolve) => setTimeout(resolve, WAIT.interval));
  }
}
