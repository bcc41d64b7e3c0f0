import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AppendCommand, append, startBatcher } from './append.ts';
import { findIdempotencyKey, hashKey } from './execution.ts';
import { readCommand, readHead, readLog } from './read-log.ts';

let database: TestDatabase;
let app: pg.Pool;

beforeEach(async () => {
  database = await createDatabase();
  app = database.pool('app');
});
afterEach(() => database.drop());

const WALLETS = ['A', 'B', 'C'].map((letter) => `player-${letter.repeat(43)}`);
const [ANN = '', BOB = '', CAT = ''] = WALLETS;

function command(stream: string, expectedVersion: number, options: Partial<AppendCommand> = {}) {
  const events = [tail('NicknameChanged', { nickname: `n${expectedVersion}` })];
  return {
    idempotencyKey: randomBytes(16).toString('hex'),
    requestHash: randomBytes(32).toString('hex'),
    stream,
    expectedVersion,
    configVersion: null,
    marginDeltaMinor: 0n,
    mustCover: false,
    state: JSON.stringify({ seen: expectedVersion + 1 }),
    stateSchema: 1,
    events,
    ...options,
  } satisfies AppendCommand;
}

function tail(type: string, data: object) {
  return { type, tail: `"data":${JSON.stringify(data)},"meta":{}}` };
}

async function currentStateOf(stream: string) {
  const { rows } = await app.query(
    'select version, state from streams where key = stream_key($1)',
    [stream],
  );
  return rows[0];
}

/** Positions 1..n without gaps, versions 1..n in each stream, each hash over the one before. */
async function expectIntactLedger(count: number) {
  const events = count === 0 ? [] : await readLog(app, { from: 1, limit: 1_000 });
  expect(events).toHaveLength(count);
  let hash = Buffer.alloc(32);
  const versions = new Map<string, number>();
  for (const event of events) {
    hash = createHash('sha256').update(hash).update(event.body, 'utf8').digest();
    expect(event.hash).toBe(hash.toString('hex'));
    expect(JSON.parse(event.body)).toMatchObject({
      position: event.position,
      version: (versions.get(event.stream) ?? 0) + 1,
    });
    versions.set(event.stream, event.version);
  }
  const head = await readHead(app);
  expect(head).toMatchObject({ position: count, hash: hash.toString('hex') });
}

describe('append', () => {
  it('assigns dense positions and versions per stream, an intact hash chain and a current state', async () => {
    // The meta of a command is in its first event.
    const lost = { type: 'BetLost', tail: '"data":{"round":"a-1"}}' };
    const two = [tail('BetPlaced', { round: 'a-1' }), lost];
    const results = await append(app, [command(ANN, 0, { events: two }), command(BOB, 0)]);
    expect(results).toMatchObject([
      { status: 'appended', position: 1, version: 2 },
      { status: 'appended', position: 3, version: 1 },
    ]);
    expect(await append(app, [command(ANN, 2)])).toMatchObject([
      { status: 'appended', position: 4, version: 3 },
    ]);
    await expectIntactLedger(4);
    expect(await currentStateOf(ANN)).toEqual({ version: 3, state: '{"seen":3}' });
    expect((await readCommand(app, 1)).map((event) => event.event.type)).toEqual([
      'BetPlaced',
      'BetLost',
    ]);
  });

  it('adds up a margin of any size, in both directions', async () => {
    const HUGE = 2n ** 64n - 1n;
    const moves = [HUGE, HUGE, -3n * HUGE];
    for (const [version, marginDeltaMinor] of moves.entries()) {
      const [result] = await append(app, [command(ANN, version, { marginDeltaMinor })]);
      expect(result).toMatchObject({ status: 'appended' });
    }
    const { rows } = await app.query('select token_margin from ledger_head');
    expect(rows).toEqual([{ token_margin: String(-HUGE) }]);
  });

  it('returns a result per command of a batch; a refused command leaves no gap', async () => {
    await append(app, [command(ANN, 0)]);
    const claimed = command(BOB, 0);
    await append(app, [claimed]);
    const results = await append(app, [
      command(ANN, 0),
      { ...command(BOB, 1), idempotencyKey: claimed.idempotencyKey },
      command('config', 0, { configVersion: 7 }),
      command(CAT, 0, { marginDeltaMinor: -1n, mustCover: true }),
      command(CAT, 0),
    ]);
    expect(results).toMatchObject([
      { status: 'version-conflict', actual: 1 },
      { status: 'duplicate-key', position: 2 },
      { status: 'stale-config' },
      { status: 'over-cover' },
      // For the ledger, decided on the refused command of the same stream.
      { status: 'version-conflict', actual: 0 },
    ]);
    await expectIntactLedger(2);
  });

  it('appends what was decided on the operators only at their version', async () => {
    const on = (stream: string, version: number, operatorsVersion: number) =>
      command(stream, version, { operatorsVersion });
    const statuses = async (...commands: readonly AppendCommand[]) =>
      (await append(app, commands)).map(({ status }) => status);
    expect(await statuses(on(ANN, 0, 0), command(BOB, 0))).toEqual(['appended', 'appended']);
    expect(await statuses(command('operators', 0))).toEqual(['appended']);
    const conflict = 'version-conflict';
    expect(await statuses(on(ANN, 1, 0), on(BOB, 1, 2), on(CAT, 0, 1))).toEqual([
      conflict,
      conflict,
      'appended',
    ]);
    // The operators change in the same batch: before or after, it was decided on another version.
    expect(await statuses(command('operators', 1), on(ANN, 1, 1))).toEqual(['appended', conflict]);
    expect(await statuses(on(ANN, 1, 2), command('operators', 2))).toEqual([conflict, 'appended']);
    expect(await statuses(on(ANN, 1, 3))).toEqual(['appended']);
    await expectIntactLedger(7);
  });

  it('a ledger that an earlier build wrote to is refused', async () => {
    const sql = readFileSync(
      new URL('../../migrations/0016_approvals.sql', import.meta.url),
      'utf8',
    );
    const owner = database.pool('owner', 1);
    await owner.query('drop function append_approved');
    await append(app, [command(ANN, 0)]);
    await expect(owner.query(sql)).rejects.toThrow('a ledger of an earlier build');
    expect((await owner.query("select to_regproc('append_approved') as made")).rows).toEqual([
      { made: null },
    ]);
  });

  it('poison: two commands of one stream in a batch are appended in order', async () => {
    const results = await append(app, [command(ANN, 0), command(ANN, 1), command(ANN, 1)]);
    expect(results.map((result) => result.status)).toEqual([
      'appended',
      'appended',
      'version-conflict',
    ]);
    expect(await currentStateOf(ANN)).toEqual({ version: 2, state: '{"seen":2}' });
    await expectIntactLedger(2);
  });

  it('poison: nothing is appended on a refused command, even when its version happens to match', async () => {
    await append(app, [command(ANN, 0), command(ANN, 1), command(ANN, 2)]);
    // Both were decided at version 2: the first is stale, the second expects the version that exists by chance.
    const results = await append(app, [command(ANN, 2), command(ANN, 3)]);
    expect(results.map((result) => result.status)).toEqual([
      'version-conflict',
      'version-conflict',
    ]);
    await expectIntactLedger(3);
  });

  it('poison: an idempotency key that a batch has twice is used once', async () => {
    const first = command(ANN, 0);
    const results = await append(app, [
      command(BOB, 0),
      first,
      { ...command(CAT, 0), idempotencyKey: first.idempotencyKey },
      { ...command(CAT, 0), idempotencyKey: first.idempotencyKey },
    ]);
    expect(results).toMatchObject([
      { status: 'appended', position: 1 },
      { status: 'appended', position: 2 },
      { status: 'duplicate-key', position: 2 },
      { status: 'duplicate-key', position: 2 },
    ]);
    await expectIntactLedger(2);
  });

  it('Postgres and this process derive the same key from a name', async () => {
    for (const name of ['player-A:command:k:1', 'resolve:x:y', 'deposit:é:🎰']) {
      const { rows } = await database
        .pool('app')
        .query<{ key: string }>('select idempotency_key($1) as key', [name]);
      expect(rows[0]?.key.replaceAll('-', '')).toBe(hashKey(name));
    }
  });

  it('a refused command does not use up its key', async () => {
    const refused = command(ANN, 5);
    await append(app, [refused]);
    expect(await findIdempotencyKey(app, refused.idempotencyKey)).toBeNull();
    expect(await append(app, [{ ...refused, expectedVersion: 0 }])).toMatchObject([
      { status: 'appended' },
    ]);
  });

  it('poison: text that Postgres refuses fails alone, through the batcher', async () => {
    const batcher = startBatcher(app);
    const nul = command(BOB, 0, { events: [{ type: 'X', tail: '"data":"\u0000"}' }] });
    const notJson = command(BOB, 0, { events: [{ type: 'X', tail: '"data":}' }] });
    const groups = [command(ANN, 0), nul, notJson, command(CAT, 0)];
    const results = await Promise.all(groups.map((group) => batcher.append([group])));
    expect(results[0]).toMatchObject([{ status: 'appended' }]);
    expect(results[1]?.[0]).toBeInstanceOf(Error);
    expect(results[2]?.[0]).toBeInstanceOf(Error);
    expect(results[3]).toMatchObject([{ status: 'appended' }]);
    await expectIntactLedger(2);
  });

  it('sends a second batch while one is in flight only when it is full', async () => {
    const sizes: number[] = [];
    const held: (() => void)[] = [];
    const query = app.query.bind(app) as (...args: unknown[]) => Promise<pg.QueryResult>;
    app.query = ((...args: unknown[]) =>
      new Promise<void>((resolve) => held.push(resolve))
        .then(() => query(...args))
        .then((result) => {
          sizes.push(result.rows.length);
          return result;
        })) as typeof app.query;
    const batcher = startBatcher(app);
    const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    let made = 0;
    const players = (count: number) =>
      Array.from({ length: count }, () => {
        const stream = `player-${String(++made).padStart(43, 'A')}`;
        return batcher.append([command(stream, 0)]);
      });
    const first = players(1);
    await turn();
    const second = players(127);
    await turn();
    expect(held).toHaveLength(1);
    const third = players(3);
    await turn();
    expect(held).toHaveLength(2);
    held.shift()?.();
    await Promise.all(first);
    await turn();
    expect(held).toHaveLength(1);
    held.shift()?.();
    await Promise.all(second);
    // A small batch may wait for others.
    await vi.waitFor(() => expect(held).toHaveLength(1), WAIT);
    held.shift()?.();
    app.query = query as typeof app.query;
    const results = await Promise.all([...first, ...second, ...third]);
    for (const [result] of results) expect(result).toMatchObject({ status: 'appended' });
    expect(sizes).toEqual([1, 128, 2]);
    await expectIntactLedger(131);
  });

  it('a small batch waits for others until 32 ms after the previous one, while others come', async () => {
    const sizes: number[] = [];
    const query = app.query.bind(app) as (...args: unknown[]) => Promise<pg.QueryResult>;
    app.query = (async (...args: unknown[]) => {
      const result = await query(...args);
      sizes.push(result.rows.length);
      return result;
    }) as typeof app.query;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const batcher = startBatcher(app);
      const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      let made = 0;
      const send = (count = 1) =>
        Promise.all(
          Array.from({ length: count }, () => {
            const stream = `player-${String(++made).padStart(43, 'A')}`;
            return batcher.append([command(stream, 0)]);
          }),
        );
      await send();
      const waiting = [send()];
      await turn();
      waiting.push(send());
      await turn();
      vi.advanceTimersByTime(31);
      await turn();
      expect(sizes).toEqual([1]);
      vi.advanceTimersByTime(1);
      await Promise.all(waiting);
      await send(10);
      expect(sizes).toEqual([1, 2, 10]);
      // One after another: the wait brings no other, so the next ones do not wait until it is tried again.
      const alone = send();
      await turn();
      vi.advanceTimersByTime(32);
      await alone;
      await send();
      await send();
      vi.advanceTimersByTime(401);
      await send();
      const again = send();
      await turn();
      expect(sizes).toEqual([1, 2, 10, 1, 1, 1, 1]);
      vi.advanceTimersByTime(32);
      await again;
      await expectIntactLedger(18);
    } finally {
      vi.useRealTimers();
      app.query = query as typeof app.query;
    }
  });

  it('keeps the margin, and the configuration version is the config stream’s', async () => {
    const seen = async () => {
      const { rows } = await app.query('select config_version, token_margin from ledger_head');
      return rows[0];
    };
    await append(app, [command('config', 0), command(ANN, 0, { marginDeltaMinor: 50n })]);
    expect(await seen()).toEqual({ config_version: 1, token_margin: '50' });
    const results = await append(app, [
      command(ANN, 1, { marginDeltaMinor: -30n, mustCover: true, configVersion: 1 }),
      command(BOB, 0, { marginDeltaMinor: -30n, mustCover: true, configVersion: 1 }),
    ]);
    expect(results.map((result) => result.status)).toEqual(['appended', 'over-cover']);
    expect(await seen()).toEqual({ config_version: 1, token_margin: '20' });
  });

  it('refuses a batch with inconsistent parts, and an unknown kind of stream name', async () => {
    const broken = command(ANN, 0, { events: [] });
    await expect(append(app, [broken])).rejects.toThrow('1 to 16 events');
    await expect(append(app, [command('Player X', 0)])).rejects.toThrow('not a stream and its key');
    await expectIntactLedger(0);
  });

  it('a type cannot inject text into the body', async () => {
    const forged = command(ANN, 0, { events: [tail('X","version":9,"type":"Y', {})] });
    await expect(append(app, [forged])).rejects.toThrow('not the type of an event');
  });

  it('two sessions: the second waits for the first and sees its current state', async () => {
    const owner = database.pool('owner');
    const session = await owner.connect();
    await session.query('begin');
    await session.query('select from ledger_head for update');
    const patient = database.pool('app', 1);
    await patient.query('set lock_timeout = 0');
    const waiting = append(patient, [command(ANN, 0)]);
    await expect.poll(() => waitingBackends(owner)).toBe(1);
    await session.query('commit');
    session.release();
    expect(await waiting).toMatchObject([{ status: 'appended', position: 1 }]);
  });

  it('of twenty parallel appends at one version exactly one succeeds', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => append(app, [command(ANN, 0)])),
    );
    const appended = results.flat().filter((result) => result.status === 'appended');
    expect(appended).toHaveLength(1);
    await expectIntactLedger(1);
  });

  it('recorded time never decreases, even when the clock does', async () => {
    const owner = database.pool('owner');
    const later = '2035-01-01T00:00:00.000Z';
    await owner.query('update ledger_head set recorded_at = $1', [later]);
    await append(app, [command(ANN, 0)]);
    const [event] = await readLog(app, { from: 1, limit: 1 });
    expect(event?.time).toBe(later);
  });
});

async function waitingBackends(pool: pg.Pool) {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n;
}

describe('a fresh database', () => {
  let big: TestDatabase;
  beforeAll(async () => {
    big = await createDatabase();
  });
  afterAll(() => big.drop());

  it('finds states and keys by index, also before the first ANALYZE', async () => {
    const pool = big.pool('app', 1); // one connection, so one cached plan
    for (let i = 0; i < 40; i++) {
      const batch = Array.from({ length: 100 }, (_, j) =>
        command(
          `player-${String(i * 100 + j)
            .replaceAll('0', 'z')
            .padStart(43, 'A')}`,
          0,
          {
            idempotencyKey: hashKey(`test:${i}-${j}`),
          },
        ),
      );
      await append(pool, batch);
    }
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await big.pool('owner').query(
      `select relname as name, n_tup_ins > 0 as filled, seq_tup_read > 0 as scanned
       from pg_stat_user_tables where relname in ('streams', 'idempotency_keys', 'events') order by name`,
    );
    const byIndex = { filled: true, scanned: false };
    expect(rows).toEqual(
      ['events', 'idempotency_keys', 'streams'].map((name) => ({ name, ...byIndex })),
    );
  });
});
