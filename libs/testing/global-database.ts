/** Set up once per run of the `db` project: a real Postgres and a migrated template database in it. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { endProcess, isAlive, isWorkingIn } from '@reelbook/runtime/processes';
import { compile } from '@reelbook/runtime/run.js';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { WAIT } from './wait.ts';

export interface TestCluster {
  /** Logs in as a superuser. */
  readonly url: string;
  /** Name of the migrated database that each test database is a copy of. */
  readonly template: string;
}

const FOLDER_PREFIX = 'reelbook-test-';
const REACH_TRIES_MAX = 3;

declare module 'vitest' {
  interface ProvidedContext {
    readonly cluster: TestCluster;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Once for all tests that start programs of ours.
  await compile();
  await sweep();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const given = readSettings().testDatabaseUrl;
  const own: EmbeddedPostgres | null = given
    ? null
    : await startEmbeddedPostgres({ folder: join(folder, 'postgres'), durable: false });
  return provideCluster(project, given ?? own?.url ?? '', async () => {
    await own?.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Creates the template on that server and provides both to the tests. @returns the teardown. */
export async function provideCluster(
  project: TestProject,
  url: string,
  stop: () => Promise<void>,
): Promise<() => Promise<void>> {
  const pool = openPool({ url, role: 'owner', max: 1, name: 'test-setup' });
  const close = async () => {
    await pool.end();
    await stop();
  };
  try {
    await reach(pool);
    const template = await makeTemplate(pool, url);
    const { rows } = await pool.query<{ server_version: string }>('show server_version');
    process.stdout.write(`PostgreSQL ${rows[0]?.server_version}\n`);
    project.provide('cluster', { url, template });
    return async () => {
      await pool.query(`drop database ${template}`);
      await close();
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stops and removes servers of runs that were killed. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(FOLDER_PREFIX)
      ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10)
      : 0;
    if (!(owner > 0) || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    const cluster = join(folder, 'postgres/cluster');
    const pidFile = join(cluster, 'postmaster.pid');
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
    if (isWorkingIn(pid, cluster)) await endProcess(pid, [['SIGQUIT', WAIT.timeout]]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeTemplate(pool: pg.Pool, url: string): Promise<string> {
  const template = `reelbook_template_${randomBytes(5).toString('hex')}`;
  await pool.query(`create database ${template}`);
  const inside = openPool({
    url: withDatabase(url, template),
    role: 'owner',
    max: 1,
    name: 'test-setup',
  });
  try {
    await reach(inside);
    await migrateAll(inside);
  } finally {
    await inside.end();
  }
  return template;
}

/** Connects, a few times where need be: a machine that slept for longer than a connection may take loses no run. */
export async function reach(pool: pg.Pool): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await pool.query('select');
      return;
    } catch (error) {
      if (tries === REACH_TRIES_MAX) throw error;
    }
  }
}

/** The same server and login, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
