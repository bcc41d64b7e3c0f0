/** Baselines of the append benchmark: other event stores and a hand-written service. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import type { Subject } from './measure.ts';

/** The two events of a bet as JSON, as large as those of Reelbook with metadata. */
export const PLACED = JSON.stringify({
  type: 'BetPlaced',
  data: {
    round: 'AAAAAAAAAx-1',
    game: 'slot-machine',
    stakeMinor: '100',
    lines: 25,
    rules: 'slot-1',
    pair: 1,
    nonce: 1,
    after: { pointsMinor: '99900', tokenMinor: '0' },
  },
  meta: { command: 'c'.repeat(32), correlation: 'd'.repeat(24) },
});
export const WON = JSON.stringify({
  type: 'BetWon',
  data: {
    round: 'AAAAAAAAAx-1',
    game: 'slot-machine',
    outcome: { symbols: [4, 2, 4] },
    stakeMinor: '100',
    payoutMinor: '100',
    after: { pointsMinor: '100000', tokenMinor: '0' },
  },
});

export interface Peer extends Subject {
  close(): Promise<void>;
}

/**
 * `pool.end()` resolves before its connections are closed: the shutdown of Postgres may still reach one, which is no
 * error.
 */
function openPeerPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', () => {});
  return pool;
}

/**
 * message-db 1.3 with one category per stream, so that writers do not wait for each other. A bet is ONE message here,
 * with both events inside: the most favourable interpretation.
 */
export async function messageDb(url: string, workers: number): Promise<Peer> {
  const pool = openPeerPool(url, workers);
  await installMessageDb(pool);
  const data = `[${PLACED},${WON}]`;
  const versions = Array.from({ length: workers }, () => -1);
  const run = randomUUID().replaceAll('-', '');
  return {
    name: 'message-db',
    async operate(worker) {
      const expected = versions[worker] ?? -1;
      await pool.query({
        name: 'write',
        text: 'select message_store.write_message($1, $2, $3, $4::jsonb, null, $5)',
        values: [randomUUID(), `player${run}${worker}-1`, 'BetSettled', data, expected],
      });
      versions[worker] = expected + 1;
    },
    close: () => pool.end(),
  };
}

async function installMessageDb(pool: pg.Pool): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('@eventide/message-db/package.json');
  const folder = join(dirname(manifest), 'database');
  const found = await pool.query("select 1 from pg_namespace where nspname = 'message_store'");
  if (found.rowCount) return;
  // Same as its install.sh, without the roles and without pgcrypto, which it needs for gen_random_uuid before Postgres
  // 13.
  const files = [
    'schema/message-store',
    'types/message',
    'tables/messages',
    ...[
      'message-store-version hash-64 acquire-lock category is-category id cardinal-id stream-version',
      'write-message get-stream-messages get-category-messages get-last-stream-message',
    ].flatMap((names) => names.split(' ').map((name) => `functions/${name}`)),
    'indexes/messages-id',
    'indexes/messages-stream',
    'indexes/messages-category',
  ];
  const client = await pool.connect();
  try {
    await client.query('set search_path = message_store, public');
    for (const file of files) {
      const sql = readFileSync(join(folder, `${file}.sql`), 'utf8').replaceAll(/^\\.*$/gm, '');
      await client.query(sql);
      await client.query('set search_path = message_store, public');
    }
    await client.query('grant usage on schema message_store to public');
    const database = (await client.query('select current_database() as name')).rows[0].name;
    await client.query(`alter database ${database} set search_path = message_store, public`);
  } finally {
    client.release(true);
  }
}

/** emmett-postgresql 0.42: both events in one append with the expected version. */
export async function emmett(url: string, workers: number): Promise<Peer> {
  const store = getPostgreSQLEventStore(url);
  const events = [
    { type: 'BetPlaced', data: JSON.parse(PLACED) },
    { type: 'BetWon', data: JSON.parse(WON) },
  ] as const;
  const versions = Array.from({ length: workers }, () => 0n);
  const run = randomUUID();
  return {
    name: 'emmett-postgresql',
    async operate(worker) {
      const before = versions[worker] ?? 0n;
      const result = await store.appendToStream(`player-${run}-${worker}`, [...events] as never, {
        ...(before > 0n ? { expectedStreamVersion: before } : {}),
      });
      versions[worker] = result.nextExpectedStreamVersion;
    },
    close: () => store.close(),
  };
}

/** A careful service without an event store: lock the balance, update it, insert two events, commit. */
export async function naive(url: string, workers: number): Promise<Peer> {
  const pool = openPeerPool(url, workers);
  await pool.query(`create table if not exists naive_balances (wallet text primary key, points bigint not null);
    create table if not exists naive_events (id bigint generated always as identity primary key,
      wallet text not null, body jsonb not null)`);
  const run = randomUUID();
  const wallets = Array.from({ length: workers }, (_, worker) => `${run}-${worker}`);
  for (const wallet of wallets) {
    await pool.query('insert into naive_balances values ($1, 100000)', [wallet]);
  }
  const statement = (name: string, text: string) => (values: unknown[]) => ({ name, text, values });
  const lock = statement('lock', 'select points from naive_balances where wallet = $1 for update');
  const change = statement('change', 'update naive_balances set points = $2 where wallet = $1');
  const note = statement('note', 'insert into naive_events (wallet, body) values ($1, $2::jsonb)');
  return {
    name: 'hand-written',
    async operate(worker) {
      const wallet = wallets[worker];
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query(lock([wallet]));
        await client.query(change([wallet, rows[0].points]));
        await client.query(note([wallet, PLACED]));
        await client.query(note([wallet, WON]));
        await client.query('commit');
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
