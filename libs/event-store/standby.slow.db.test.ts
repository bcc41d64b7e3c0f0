import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@reelbook/testing/database';
import { createRandom } from '@reelbook/testing/random';
import { SEED } from '@reelbook/testing/seeds';
import { type Replicated, startReplicated } from '@reelbook/testing/standby';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AppendCommand, append } from './append.ts';
import { isUnavailable, openPool } from './db.ts';
import { compareHead, watchHead } from './known-head.ts';
import { readHead } from './read-log.ts';
import { openStandby, type Standby } from './standby.ts';

let replicated: Replicated;
let leader: pg.Pool;
const opened: Standby[] = [];
beforeAll(async () => {
  replicated = await startReplicated();
  leader = replicated.database.pool('app', 8);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});
afterAll(() => replicated.database.drop());

function open(o: Partial<Parameters<typeof openStandby>[0]> = {}): Standby {
  const { url } = replicated.standby;
  const standby = openStandby({ leader, url, name: 'test', max: 4, lagMaxS: 3_600, ...o });
  opened.push(standby);
  return standby;
}

const STREAM = `player-${'A'.repeat(43)}`;

/** Appends an event. @returns its position. */
async function write(pool = leader): Promise<number> {
  const { position: version } = await readHead(pool);
  const command: AppendCommand = {
    idempotencyKey: randomBytes(16).toString('hex'),
    requestHash: randomBytes(32).toString('hex'),
    stream: STREAM,
    expectedVersion: version,
    configVersion: null,
    marginDeltaMinor: 0n,
    mustCover: false,
    state: '{}',
    stateSchema: 1,
    events: [{ type: 'NicknameChanged', tail: '"data":{"nickname":"n"},"meta":{}}' }],
  };
  await append(pool, [command]);
  return version + 1;
}

/** Who answers, and the head that it shows. */
async function headOf(db: pg.Pool) {
  const { position } = await readHead(db);
  return { by: db === leader ? 'leader' : 'standby', position };
}

async function byStandby(reads: Standby, known: number) {
  await vi.waitFor(
    async () => expect((await reads.read(known, headOf)).data.by).toBe('standby'),
    WAIT,
  );
}

test('a read never gets less than its caller knows', async () => {
  const { standby } = replicated;
  const before = await write();
  await standby.untilEqual();
  const reads = open();
  await byStandby(reads, before);
  const answer = { data: { by: 'standby', position: before }, position: before };
  expect(await reads.read(before, headOf)).toEqual(answer);
  expect(await reads.read(null, headOf)).toMatchObject({ data: { by: 'leader' } });
  await standby.pause();
  const after = await write();
  expect(await reads.read(after, headOf)).toEqual({
    data: { by: 'leader', position: after },
    position: after,
  });
  expect(await reads.read(before, headOf)).toEqual(answer);
  expect(await reads.read(after + 1_000_000, headOf)).toMatchObject({ data: { by: 'leader' } });
  const state = await reads.examine();
  expect(state).toMatchObject({ position: before, behind_positions: 1, fault: null });
  expect(state.behind_s).toBeGreaterThan(0);
  await standby.resume();
  await byStandby(reads, after);
  expect(await reads.examine()).toMatchObject({ behind_positions: 0, behind_s: 0 });
});

test('while it writes, pauses and goes on, no reader gets less than it has seen', async () => {
  const { standby } = replicated;
  const random = createRandom(SEED);
  const model = { name: 'balances', version: 1 };
  const apply = () =>
    leader.query(
      `insert into checkpoints (name, version, position) select 'balances', 1, position from ledger_head
        on conflict (name, version) do update set position = excluded.position`,
    );
  const reads = open({ followers: [model], waitMs: 50 });
  const first = await write();
  await apply();
  await byStandby(reads, first);
  const look = async (db: pg.Pool) => {
    const { rows } = await db.query('select position from checkpoints where name = $1', [
      'balances',
    ]);
    return { ...(await headOf(db)), applied: Number(rows[0]?.position) };
  };
  let isOver = false;
  const reader = async () => {
    let known = 0;
    while (!isOver) {
      const { data, position } = await reads.read(known, look);
      expect(data.position).toBeGreaterThanOrEqual(known);
      expect(position).toBeGreaterThanOrEqual(data.position);
      if (data.by === 'standby') {
        expect(data.applied).toBeGreaterThanOrEqual(known);
        expect(position).toBe(data.position);
      }
      known = position;
      await sleep(random() * 20);
    }
  };
  const readers = Promise.all([reader(), reader(), reader()]);
  for (let step = 0; step < 150; step++) {
    const drawn = random();
    if (drawn < 0.6) await write();
    else if (drawn < 0.8) await apply();
    else if (drawn < 0.9) await standby.run('select pg_wal_replay_pause()');
    else await standby.resume();
    await sleep(random() * 10);
  }
  await standby.resume();
  await apply();
  await byStandby(reads, (await readHead(leader)).position);
  isOver = true;
  await readers;
  expect(reads.answered.leader).toBeGreaterThan(0);
  // A read model that never started.
  const other = open({ followers: [model, { name: 'entries', version: 1 }] });
  expect((await other.read(1, headOf)).data.by).toBe('leader');
});

test('a standby that is too late is not used until it has caught up', async () => {
  const { standby } = replicated;
  const faults: (string | null)[] = [];
  const reads = open({ lagMaxS: 1, onFault: (fault) => faults.push(fault) });
  await byStandby(reads, await write());
  await standby.pause();
  await write();
  await vi.waitFor(async () => expect((await reads.read(0, headOf)).data.by).toBe('leader'), WAIT);
  expect(faults.at(-1)).toBe('it is more than 1 s behind');
  await standby.resume();
  await byStandby(reads, 0);
  expect(faults.at(-1)).toBeNull();
});

test('a standby that stops costs no error, and is used again when it is back', async () => {
  const { standby } = replicated;
  const position = await write();
  const faults: (string | null)[] = [];
  const reads = open({ onFault: (fault) => faults.push(fault) });
  await byStandby(reads, position);
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const long = reads.read(position, async (db) => {
    begun();
    if (db !== leader) await db.query('select pg_sleep(3600)');
    return headOf(db);
  });
  await hasBegun;
  faults.length = 0;
  await standby.stop();
  expect((await long).data.by).toBe('leader');
  for (let i = 0; i < 3; i++) {
    expect((await reads.read(position, headOf)).data.by).toBe('leader');
  }
  expect(faults).toEqual([expect.any(String)]);
  expect(await reads.examine()).toMatchObject({ position: null, behind_s: null });
  await standby.start();
  await byStandby(reads, await write());
  expect(faults.at(-1)).toBeNull();
});

test('an export moves to the leader when the standby stops', async () => {
  const { standby } = replicated;
  const reads = open();
  await byStandby(reads, await write());
  const pool = await reads.follow(0);
  const isCopy = async () =>
    (await pool.query('select pg_is_in_recovery() as copy')).rows[0]?.copy as boolean;
  await expect.poll(isCopy).toBe(true);
  await standby.stop();
  expect(await isCopy()).toBe(false);
  await standby.start();
  await byStandby(reads, 0);
  await expect.poll(isCopy).toBe(true);
});

test('a server that does not respond delays only the first read', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const reads = open({ url: `postgres://a:b@127.0.0.1:${port}/ledger` });
  expect((await reads.read(0, headOf)).data.by).toBe('leader');
  const connections = () => new Promise((resolve) => silent.getConnections((_, n) => resolve(n)));
  await vi.waitFor(async () => expect(await connections()).toBe(0), WAIT);
  for (let i = 0; i < 20; i++) await reads.read(0, headOf);
  expect(await connections()).toBeLessThan(5);
  await vi.waitFor(async () => expect(await connections()).toBe(0), WAIT);
  await new Promise((resolve) => silent.close(resolve));
});

describe('a read that replay cancels', () => {
  let owner: pg.Pool;
  beforeAll(async () => {
    owner = replicated.database.pool('owner', 2);
    await replicated.standby.run('alter system set max_standby_streaming_delay = 0');
    await replicated.standby.run('select pg_reload_conf()');
  });
  afterAll(async () => {
    await replicated.standby.run('alter system reset max_standby_streaming_delay');
    await replicated.standby.run('select pg_reload_conf()');
  });

  /** A read that uses rows which are then removed, in so many of its tries. `wait` is what it does meanwhile. */
  async function cancelled(times: number, wait: (db: pg.Pool) => Promise<unknown>) {
    await owner.query('drop table if exists removed');
    await owner.query(
      `create table removed with (autovacuum_enabled = off) as select n from generate_series(1, 1000) as n`,
    );
    await owner.query('grant select on removed to reelbook_app');
    await replicated.standby.untilEqual();
    const codes: unknown[] = [];
    const reads = open({ waitMs: WAIT.timeout, noStatementTimeout: true });
    const found = await reads.read(1, async (db) => {
      const { rows } = await db.query('select count(*)::int as count from removed');
      if (db === leader) return { by: 'leader', count: rows[0].count };
      if (codes.length < times) {
        const waiting = wait(db);
        waiting.catch(() => {});
        await owner.query('delete from removed where n in (select n from removed limit 100)');
        await owner.query('vacuum removed');
        await waiting.catch((error) => {
          codes.push(error.code ?? error.message);
          throw error;
        });
      }
      return { by: 'standby', count: rows[0].count };
    });
    return { ...found.data, codes };
  }
  const asleep = (db: pg.Pool) => db.query('select pg_sleep(3600)');

  test('is tried again on the standby', async () => {
    expect(await cancelled(1, asleep)).toEqual({ by: 'standby', count: 900, codes: ['40001'] });
  });

  test('is answered by the leader after some tries', async () => {
    const codes = ['40001', '40001', '40001'];
    expect(await cancelled(99, asleep)).toEqual({ by: 'leader', count: 700, codes });
  });

  test('is tried again also if its connection was ended between two statements', async () => {
    const idle = async (db: pg.Pool) => {
      await new Promise((resolve) => (db as unknown as pg.Client).once('end', resolve));
      await db.query('select 1');
    };
    const found = await cancelled(1, idle);
    expect(found).toEqual({ by: 'standby', count: 900, codes: [expect.any(String)] });
  });
});

test('an event that the leader has not acknowledged is not shown', async () => {
  const { standby, database } = replicated;
  const reads = open();
  await byStandby(reads, await write());
  const owner = database.pool('owner', 1);
  const { url } = database;
  const writer = openPool({ url, role: 'app', max: 1, name: 'writer', noStatementTimeout: true });
  await writer.query('select');
  // A new connection would wait as well.
  await Promise.all(Array.from({ length: 4 }, () => leader.query('select pg_sleep(0.2)')));
  const set = async (name: string) => {
    await owner.query(`alter system set synchronous_standby_names = '${name}'`);
    await owner.query('select pg_reload_conf()');
  };
  await set('absent');
  try {
    const before = await untilHeld(owner, writer);
    await vi.waitFor(async () => {
      const shown = await standby.run('select position::int from ledger_head');
      expect(shown).toEqual([{ position: before + 1 }]);
    }, WAIT);
    const answer = { data: { by: 'leader', position: before }, position: before };
    expect(await reads.read(before, headOf)).toEqual(answer);
    expect((await reads.examine()).fault).toBe('it has events that the leader lacks');
  } finally {
    await set('');
    await writer.end();
  }
  await byStandby(reads, (await readHead(leader)).position);
});

/** Appends until one waits for a synchronous standby. @returns the position before it. */
async function untilHeld(owner: pg.Pool, writer: pg.Pool): Promise<number> {
  for (;;) {
    const { position } = await readHead(leader);
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    void write(writer).then(end, end);
    while (!isOver) {
      const held = "select from pg_stat_activity where wait_event = 'SyncRep'";
      if ((await owner.query(held)).rowCount === 1) return position;
      await sleep(20);
    }
  }
}

test('a leader, and a standby of another ledger, are not used', async () => {
  await write();
  const own = open({ url: replicated.database.url });
  expect((await own.read(0, headOf)).data.by).toBe('leader');
  expect((await own.examine()).fault).toBe('the database is a leader');
  const other = await createDatabase();
  const pool = other.pool('app');
  const foreign = open({ leader: pool });
  const position = async (db: pg.Pool) => (await readHead(db)).position;
  expect(await foreign.read(0, position)).toEqual({ data: 0, position: 0 });
  expect((await foreign.examine()).fault).toBe('it has events that the leader lacks');
  const { position: end } = await readHead(leader);
  for (let head = 0; head < end; ) head = await write(pool);
  expect((await foreign.examine()).fault).toBe('it has another ledger than the leader');
  expect(await foreign.read(0, position)).toMatchObject({ data: end });
  expect(foreign.answered).toEqual({ standby: 0, leader: 2 });
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await other.drop();
});

test('a service does not act with a standby, also if its URL names only that', async () => {
  const stop = new AbortController();
  const { url } = replicated.standby;
  const pool = openPool({ url, role: 'app', max: 1, name: 'test' });
  watchHead(pool, { signal: stop.signal, fail: () => {} });
  const refused = (error: Error) => isUnavailable(error) && /is a standby/.test(error.message);
  await expect(readHead(pool)).rejects.toSatisfy(refused);
  await expect(compareHead(pool)).rejects.toSatisfy(refused);
  stop.abort();
  await pool.end();
});

test('of several hosts a standby is read, and the leader is written', async () => {
  const { standby, database } = replicated;
  const [host, other] = [new URL(database.url).host, new URL(standby.url).host];
  for (const hosts of [`${host},${other}`, `${other},${host}`]) {
    // Both servers have the same password.
    const url = database.url.replace(host, hosts);
    await byStandby(open({ url }), await write());
    const writing = openPool({ url, role: 'app', max: 1, name: 'test' });
    await write(writing);
    await writing.end();
  }
});

test('a standby that is promoted is not read any more', async () => {
  const { standby } = replicated;
  const reads = open();
  await byStandby(reads, await write());
  await standby.run('select pg_promote()');
  await vi.waitFor(
    async () =>
      expect(await standby.run('select pg_is_in_recovery() as r')).toEqual([{ r: false }]),
    WAIT,
  );
  expect((await reads.read(0, headOf)).data.by).toBe('leader');
  expect((await reads.examine()).fault).toMatch(/^the database (leads|is a leader)$/);
});
