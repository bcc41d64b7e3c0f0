import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { freePort } from '@reelbook/runtime/ports';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { readSettings } from '@reelbook/runtime/settings';
import type { PostgresContainer } from '@reelbook/testing/containers';
import { pick, type Random } from '@reelbook/testing/random';
import pg from 'pg';
import { type Revivable, revivable } from '../faults/revivable.ts';

/** A durable Postgres that can be killed and comes back on the same port with the same data. */
export interface CrashingPostgres extends Revivable {
  readonly url: string;
  /** Ends the process behind one connection as kill -9 does; Postgres then ends all others and recovers. */
  killBackend(random: Random): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startPostgres(folder: string): Promise<CrashingPostgres> {
  const server =
    readSettings().testContainers === 'yes'
      ? await (await import('@reelbook/testing/containers')).startPostgresContainer({
          durable: true,
        })
      : await startHere(folder);
  const { url } = server;
  const { kill, settled } = revivable(server);
  const pool = openPool({ url, role: 'owner', max: 1, name: 'migrate' });
  await migrateAll(pool);
  await pool.end();
  return {
    url,
    kill,
    settled,
    async killBackend(random) {
      const pid = await findBackend(url, random);
      if (pid === null) return false;
      await server.killProcess(pid);
      return true;
    },
    async stop() {
      await settled().catch(() => {});
      await server.stop();
    },
  };
}

/** The embedded one, by the same handle as the one in a container. */
async function startHere(folder: string): Promise<PostgresContainer> {
  const port = await freePort();
  const start = () => startEmbeddedPostgres({ folder, durable: true, port });
  let current = await start();
  return {
    url: current.url,
    async kill() {
      const pidFile = readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(pidFile, 10), 'SIGKILL');
      await current.ended;
    },
    async start() {
      current = await start();
    },
    killProcess: async (pid) => void process.kill(pid, 'SIGKILL'),
    stop: () => current.close(),
  };
}

/** One of the processes that serve a connection of ours, or null while there is none. */
async function findBackend(url: string, random: Random): Promise<number | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'reelbook-%'
        and backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`,
    );
    return rows.length > 0 ? pick(random, rows).pid : null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
