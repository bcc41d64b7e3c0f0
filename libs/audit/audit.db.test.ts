import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { replaceIn, sealAgain, tamperWith } from '@reelbook/testing/tamper';
import { observeTreasury } from '@reelbook/testing/treasury';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

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
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  await observeTreasury(pool, 100_000_000_000n);
  for (let i = 0; i < PLAYERS; i++) {
    const wallet = await players.register();
    for (let n = 0; n < SPINS; n++) {
      await players.spin(wallet, 1 + (n % 5));
      if (n === SPINS / 2 - 1) await players.rotate(wallet);
    }
    await players.exchange(wallet, 'points', 12_345n);
    await players.exchange(wallet, 'token', 200_099_999n);
    await players.readNotifications(wallet, 2);
    await players.readNotifications(wallet, 'all');
  }
  await executor.close();
});
afterAll(() => database.drop());

const audit = (mode: 'public' | 'operator') =>
  auditLedger({ pool, vault: mode === 'operator' ? vault : null, onProgress: () => {} });

describe('the audit of an intact ledger', () => {
  it('in public mode recomputes revealed rounds and counts the others', async () => {
    const report = await audit('public');
    expect(report.findings.kept).toEqual([]);
    expect(report.rounds).toEqual({ checked: 60, awaitingReveal: 60, open: 0 });
    expect(report.streams).toBe(PLAYERS + 2);
    const balance = (key: string) => report.trialBalance.get(key) ?? 0n;
    expect(balance('players points') + balance('house points')).toBe(0n);
    expect(balance('players token')).toBe(BigInt(PLAYERS) * (1_234_500_000n - 200_099_999n));
    expect(balance('players token') + balance('house token')).toBe(0n);
    expect(report.treasury).toEqual({
      observedMinor: 100_000_000_000n,
      marginMinor: 100_000_000_000n - balance('players token'),
      inFlightMinor: 0n,
      hotWalletMaxMinor: 2_000_000_000_000_000n,
    });
  });
  it('in operator mode recomputes every round', async () => {
    const report = await audit('operator');
    expect(report.findings.kept).toEqual([]);
    expect(report.rounds).toEqual({ checked: 120, awaitingReveal: 0, open: 0 });
  });
});

const tampered = (change: (client: pg.PoolClient) => Promise<unknown>) =>
  tamperWith(owner, change, async () => (await audit('operator')).findings);

async function positionOf(type: string): Promise<number> {
  const { rows } = await owner.query<{ position: number }>(
    'select position from events where type = $1 order by position offset 3 limit 1',
    [type],
  );
  return rows[0]?.position ?? 0;
}

describe('the audit of a tampered ledger names the first faulty event', () => {
  it('one digit of a payout', async () => {
    const position = await positionOf('BetWon');
    const findings = await tampered((client) =>
      replaceIn(client, position, '"payoutMinor":"', '"payoutMinor":"9'),
    );
    expect(findings.first()).toMatchObject({ check: 'chain', position });
  });

  it('a payout, the balances after it and the complete chain, hashed again', async () => {
    const position = await positionOf('BetWon');
    const findings = await tampered(async (client) => {
      await replaceIn(client, position, '"payoutMinor":"', '"payoutMinor":"9');
      await sealAgain(client);
    });
    expect(findings.first()).toMatchObject({ check: 'money', position });
    expect(findings.kept).toContainEqual(expect.objectContaining({ check: 'rounds', position }));
  });

  it('an outcome alone, hashed again: only the seeds contradict it', async () => {
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

  it('notifications counted wrong, hashed again', async () => {
    const { rows } = await owner.query<{ position: number }>(
      "select position from events where type = 'NotificationsRead' order by position limit 1",
    );
    const { position = 0 } = rows[0] ?? {};
    const findings = await tampered(async (client) => {
      await replaceIn(client, position, '"unread":', '"unread":1');
      await sealAgain(client);
    });
    expect(findings.first()).toMatchObject({ check: 'states', position });
  });

  it('an event deleted', async () => {
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

  it('the newest events deleted', async () => {
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

  it.each([
    ['a command of its own', 0, 'the first event of its command has no meta'],
    ['the command before it', 1, 'it has a meta and is not the first event of its command'],
  ])('an event attributed to %s', async (_what, back, message) => {
    const type = back === 0 ? 'BetLost' : 'BetPlaced';
    const position = await positionOf(type);
    const findings = await tampered((client) =>
      client.query('update events set first_position = position - $2 where position = $1', [
        position,
        back,
      ]),
    );
    expect(findings.kept).toContainEqual({ check: 'columns', position, message });
  });

  it('an event attributed to a command of another stream', async () => {
    let position = 0;
    const findings = await tampered(async (client) => {
      const { rows } = await client.query<{ position: number; first: number; body: string }>(
        `select one.position, before.first_position as first, one.body from events as one
          join events as before on before.position = one.position - 1
          where one.first_position = one.position and before.stream <> one.stream limit 1`,
      );
      const [{ first = 0, body = '' } = {}] = rows;
      position = rows[0]?.position ?? 0;
      await client.query('update events set first_position = $2, body = $3 where position = $1', [
        position,
        first,
        body.replace(/,"meta":.*$/, '}'),
      ]);
    });
    const message = 'its command belongs to another stream';
    expect(findings.kept).toContainEqual({ check: 'columns', position, message });
  });

  it('a current state with a higher balance than its events', async () => {
    const findings = await tampered((client) =>
      client.query(
        `update streams set state = replace(state::text, '"pointsMinor":"', '"pointsMinor":"9')::json
         where name like 'player-%'`,
      ),
    );
    expect(findings.count).toBe(PLAYERS);
    expect(findings.first()).toMatchObject({ check: 'streams', position: null });
  });

  it('an idempotency key deleted, and one added', async () => {
    const position = await positionOf('BetPlaced');
    const out = await tampered((client) =>
      client.query('delete from idempotency_keys where position = $1', [position]),
    );
    expect(out.first()).toMatchObject({ check: 'idempotency-keys', position });
    const stray = await tampered((client) =>
      client.query('insert into idempotency_keys select gen_random_uuid(), sha256($$x$$), $1', [
        position,
      ]),
    );
    expect(stray.first()).toMatchObject({ check: 'idempotency-keys', position });
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

  it('an invalid command id, hashed again', async () => {
    const position = await positionOf('BetPlaced');
    const findings = await tampered(async (client) => {
      await replaceIn(client, position, '"command":"', '"command":"x');
      await sealAgain(client);
    });
    expect(findings.first()).toMatchObject({ check: 'idempotency-keys', position });
  });

  it.each([
    [
      'streams',
      'under the key of another stream',
      `update streams a set key = b.key from streams b
      where a.name like 'player-%' and b.name like 'player-%' and a.name <> b.name
        and (select count(*) from streams c where c.name < a.name and c.name like 'player-%')
          + (select count(*) from streams c where c.name < b.name and c.name like 'player-%') = 1`,
    ],
    [
      'streams',
      'has schema 99',
      "update streams set state_schema = 99, state = '{}' where name <> 'config'",
    ],
    [
      'head',
      'the margin of the head is',
      'update ledger_head set token_margin = 10000000000000000',
    ],
    ['head', 'the time of the head is', "update ledger_head set recorded_at = '2099-01-01'"],
  ])('tables next to the events: %s %s', async (check, message, sql) => {
    const findings = await tampered(async (client) => {
      await client.query('alter table streams drop constraint streams_pkey');
      await client.query(sql);
    });
    await owner.query('alter table streams add primary key (key)');
    expect(findings.first()).toMatchObject({ check, message: expect.stringContaining(message) });
  });
});
