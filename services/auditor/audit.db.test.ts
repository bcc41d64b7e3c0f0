import { createHash, randomBytes } from 'node:crypto';
import { startSpine } from '@reelbook/event-store/execute';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/play';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditBook } from './audit.ts';

let database: TestDatabase;
let pool: pg.Pool;
let owner: pg.Pool;
let vault: SeedVault;
const PLAYERS = 3;
const SPINS = 40;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  owner = database.pool('owner');
  vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const spine = startSpine({ pool });
  const players = createPlayers({ spine, vault });
  await players.configure();
  for (let i = 0; i < PLAYERS; i++) {
    const wallet = await players.register();
    for (let n = 0; n < SPINS; n++) {
      await players.spin(wallet, 1 + (n % 5));
      if (n === SPINS / 2 - 1) await players.rotate(wallet);
    }
  }
  await spine.close();
});
afterAll(() => database.drop());

const audit = (mode: 'public' | 'operator') =>
  auditBook({ pool, vault: mode === 'operator' ? vault : null, onProgress: () => {} });

describe('the audit of a sound book', () => {
  it('in public mode recomputes what is revealed and counts what is not', async () => {
    const report = await audit('public');
    expect(report.findings.kept).toEqual([]);
    expect(report.rounds).toEqual({ checked: 60, awaitingReveal: 60, open: 0 });
    expect(report.streams).toBe(PLAYERS + 1);
    const { players = 0n, house = 0n } = Object.fromEntries(
      [...report.trialBalance].map(([key, minor]) => [key.split(' ')[0], minor]),
    );
    expect(players + house).toBe(0n);
  });
  it('in operator mode recomputes every round', async () => {
    const report = await audit('operator');
    expect(report.findings.kept).toEqual([]);
    expect(report.rounds).toEqual({ checked: 120, awaitingReveal: 0, open: 0 });
  });
});

/** Does what only a superuser can: changes the book behind its own back, looks, and puts it back. */
async function tampered(change: (client: pg.PoolClient) => Promise<unknown>) {
  const client = await owner.connect();
  const tables = ['events', 'streams', 'claims', 'head'];
  try {
    await client.query("set session_replication_role = 'replica'");
    for (const table of tables) await client.query(`create table keep_${table} as table ${table}`);
    await change(client);
    return (await audit('operator')).findings;
  } finally {
    for (const table of tables) {
      await client.query(`delete from ${table}`);
      await client.query(`insert into ${table} table keep_${table}`);
      await client.query(`drop table keep_${table}`);
    }
    await client.query("set session_replication_role = 'origin'");
    client.release();
  }
}

async function positionOf(type: string): Promise<number> {
  const { rows } = await owner.query<{ position: number }>(
    'select position from events where type = $1 order by position offset 3 limit 1',
    [type],
  );
  return rows[0]?.position ?? 0;
}

const replaceIn = (client: pg.PoolClient, position: number, from: string, to: string) =>
  client.query('update events set body = replace(body::text, $2, $3)::json where position = $1', [
    position,
    from,
    to,
  ]);

/** Seals the book anew from a position on, as a thief with the superuser's rights would. */
async function sealAgain(client: pg.PoolClient) {
  const { rows } = await client.query<{ position: number; body: string }>(
    'select position, body from events order by position',
  );
  let hash = Buffer.alloc(32);
  for (const { position, body } of rows) {
    hash = createHash('sha256').update(hash).update(body, 'utf8').digest();
    await client.query('update events set hash = $2 where position = $1', [position, hash]);
  }
  await client.query('update head set hash = $1', [hash]);
}

describe('the audit of a tampered book names the first event that does not hold', () => {
  it('one digit of a payout', async () => {
    const position = await positionOf('BetWon');
    const findings = await tampered((client) =>
      replaceIn(client, position, '"payoutMinor":"', '"payoutMinor":"9'),
    );
    expect(findings.first()).toMatchObject({ check: 'chain', position });
  });

  it('a payout, the balances after it and the whole chain, sealed again', async () => {
    const position = await positionOf('BetWon');
    const findings = await tampered(async (client) => {
      await replaceIn(client, position, '"payoutMinor":"', '"payoutMinor":"9');
      await sealAgain(client);
    });
    expect(findings.first()).toMatchObject({ check: 'money', position });
    expect(findings.kept).toContainEqual(expect.objectContaining({ check: 'rounds', position }));
  });

  it('an outcome alone, sealed again: only the seeds tell', async () => {
    const position = await positionOf('BetLost');
    const findings = await tampered(async (client) => {
      const { rows } = await client.query<{ s: string }>(
        "select (body->'data'->'outcome'->'symbols')::text as s from events where position = $1",
        [position],
      );
      const shown = rows[0]?.s ?? '';
      const other = JSON.stringify((JSON.parse(shown) as number[]).reverse());
      await replaceIn(client, position, shown, other);
      await sealAgain(client);
    });
    expect(findings.kept).toEqual([expect.objectContaining({ check: 'rounds', position })]);
  });

  it('an event taken out', async () => {
    const position = await positionOf('BetLost');
    const findings = await tampered((client) =>
      client.query('delete from events where position = $1', [position]),
    );
    expect(findings.first()).toMatchObject({
      check: 'positions',
      position: position + 1,
      message: `position ${position} is missing`,
    });
  });

  it('the newest events cut off', async () => {
    const findings = await tampered((client) =>
      client.query('delete from events where position = (select max(position) from events)'),
    );
    expect(findings.kept.map((finding) => finding.check)).toContain('head');
  });

  it.each([
    ['type', "update events set type = 'BetWon' where position = $1"],
    ['time', "update events set recorded_at = recorded_at + interval '1 s' where position = $1"],
    ['stream', 'update events set stream = gen_random_uuid() where position = $1'],
    ['version', 'update events set version = version + 1000 where position = $1'],
  ])('a column that differs from the body: %s', async (column, sql) => {
    const position = await positionOf('BetLost');
    const findings = await tampered((client) => client.query(sql, [position]));
    expect(findings.first()).toMatchObject({
      check: 'columns',
      position,
      message: `column and body differ in ${column}`,
    });
  });

  it('a tip that is richer than its events', async () => {
    const findings = await tampered((client) =>
      client.query(
        `update streams set state = replace(state::text, '"pointsMinor":"', '"pointsMinor":"9')::json
         where name like 'player-%'`,
      ),
    );
    expect(findings.count).toBe(PLAYERS);
    expect(findings.first()).toMatchObject({ check: 'tips', position: null });
  });

  it('a claim taken out, and one that was never made', async () => {
    const position = await positionOf('BetPlaced');
    const out = await tampered((client) =>
      client.query('delete from claims where position = $1', [position]),
    );
    expect(out.first()).toMatchObject({ check: 'claims', position });
    const stray = await tampered((client) =>
      client.query('insert into claims select gen_random_uuid(), sha256($$x$$), $1', [position]),
    );
    expect(stray.first()).toMatchObject({ check: 'claims', position });
  });

  it('a revealed seed that is not the one committed to', async () => {
    const { rows } = await owner.query<{ position: number; seed: string }>(
      `select position, body->'data'->>'serverSeed' as seed from events where type = 'SeedRevealed' limit 1`,
    );
    const { position = 0, seed = '' } = rows[0] ?? {};
    const findings = await tampered(async (client) => {
      await replaceIn(client, position, seed, '0'.repeat(64));
      await sealAgain(client);
    });
    expect(findings.kept).toContainEqual(expect.objectContaining({ check: 'seeds', position }));
  });
});
