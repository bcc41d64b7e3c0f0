import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@reelbook/embedded-postgres/cluster';
import { openPool } from '@reelbook/event-store/db';
import { migrate } from '@reelbook/event-store/migrate';
import { freePort } from '@reelbook/runtime/ports';
import pg from 'pg';
import { pick, type Random } from './schedule.ts';

/** A durable Postgres that can be killed and comes back on the same port with the same data. */
export interface CrashingPostgres {
  readonly url: string;
  readonly logFile: string;
  /** Null while it is down. */
  postmaster(): number | null;
  /** Ends the postmaster as kill -9 does, and starts it again after `downMs`. Resolves when it is dead. */
  kill(downMs: number): Promise<void>;
  /** Ends the process behind one connection as kill -9 does; Postgres then ends all others and recovers by itself. */
  killBackend(random: Random): Promise<boolean>;
  /** Resolves when no start is under way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(folder: string): Promise<CrashingPostgres> {
  const port = await freePort();
  const start = () => startEmbeddedPostgres({ folder, durable: true, port });
  let current: EmbeddedPostgres | null = await start();
  const { url, logFile } = current;
  let starting: Promise<void> = Promise.resolve();
  const pool = openPool({ url, role: 'owner', max: 1, name: 'migrate' });
  await migrate(pool);
  await pool.end();

  const postmaster = () =>
    current
      ? Number.parseInt(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8'), 10)
      : null;
  return {
    url,
    logFile,
    postmaster,
    async kill(downMs) {
      const pid = postmaster();
      const victim = current;
      if (pid === null || !victim) return;
      current = null;
      process.kill(pid, 'SIGKILL');
      await victim.ended;
      starting = sleep(downMs).then(async () => {
        current = await start();
      });
      starting.catch(() => {});
    },
    async killBackend(random) {
      const pid = await findBackend(url, random);
      if (pid === null) return false;
      process.kill(pid, 'SIGKILL');
      return true;
    },
    settled: () => starting,
    async stop() {
      await starting.catch(() => {});
      await current?.close();
    },
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
