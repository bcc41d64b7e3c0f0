import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestDatabase } from './database.ts';
import { WAIT } from './wait.ts';

/** A leader and a standby that streams from it, both of one test file. */
export interface Replicated {
  /** The leader; `drop` ends both servers. */
  readonly database: TestDatabase;
  readonly standby: {
    readonly url: string;
    /** A statement as its superuser. */
    run(text: string): Promise<readonly Record<string, unknown>[]>;
    /** Replay stops; it still answers. */
    pause(): Promise<void>;
    resume(): Promise<void>;
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Resolves when it has replayed all that the leader has written. */
    untilEqual(): Promise<void>;
  };
}

export async function startReplicated(): Promise<Replicated> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-standby-'));
  const [own, copy] = [join(folder, 'leader'), join(folder, 'standby')];
  const start = (of: string, port?: number) =>
    startEmbeddedPostgres({ folder: of, durable: false, ...(port && { port }) });
  const first = await start(own);
  const owner = openPool({ url: first.url, role: 'owner', max: 1, name: 'test-setup' });
  await migrateAll(owner);
  await owner.end();
  await first.close();
  // The npm package has no pg_basebackup.
  const copied = spawnSync('cp', ['-a', own, copy], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
  const leader = await start(own, portOf(first.url));
  writeFileSync(join(copy, 'cluster', 'standby.signal'), '');
  const source = `primary_conninfo = '${leader.url}?application_name=standby'\n`;
  appendFileSync(join(copy, 'cluster', 'postgresql.auto.conf'), source);
  let second: EmbeddedPostgres | null = await start(copy);
  const { url } = second;
  const pools: pg.Pool[] = [];
  const run = (text: string) => runOn(url, text);
  const stop = async () => {
    await second?.close();
    second = null;
  };
  return {
    database: {
      url: leader.url,
      pool(role, max = 4) {
        const pool = openPool({ url: leader.url, role, max, name: `test-${role}` });
        pools.push(pool);
        return pool;
      },
      keepCopy: () => Promise.reject(new Error('only of databases in the shared server')),
      async drop() {
        await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
        await stop();
        await leader.close();
        rmSync(folder, { recursive: true, force: true });
      },
    },
    standby: {
      url,
      run,
      async pause() {
        await run('select pg_wal_replay_pause()');
        await vi.waitFor(async () => {
          const state = await run('select pg_get_wal_replay_pause_state() as state');
          expect(state).toEqual([{ state: 'paused' }]);
        }, WAIT);
      },
      async resume() {
        await run('select pg_wal_replay_resume()');
      },
      stop,
      async start() {
        second = await start(copy, portOf(url));
      },
      async untilEqual() {
        // A commit that waits for the disk also writes what others committed without waiting, such as read models.
        await runOn(leader.url, 'select pg_current_xact_id()');
        const [now] = await runOn(leader.url, 'select pg_current_wal_flush_lsn()::text as lsn');
        await vi.waitFor(async () => {
          const done = await run(`select pg_last_wal_replay_lsn() >= '${now?.lsn}' as done`);
          expect(done).toEqual([{ done: true }]);
        }, WAIT);
      },
    },
  };
}

const portOf = (url: string) => Number(new URL(url).port);

/** Past our pools, which would wait for the standby. */
async function runOn(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
