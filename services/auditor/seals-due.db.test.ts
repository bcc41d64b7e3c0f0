import { randomBytes } from 'node:crypto';
import { auditLedger } from '@reelbook/audit/audit';
import { Findings } from '@reelbook/audit/findings';
import { checkSealsDue, UNSEALED_EVENTS_MAX } from '@reelbook/audit/seals-pass';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { sealAgain, tamperWith } from '@reelbook/testing/tamper';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealDue } from './seal.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const executor = startExecutor({ pool });
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const players = createPlayers({ executor, vault });
  await players.configure();
  const wallet = await players.register();
  for (let n = 0; n < 5; n++) await players.spin(wallet, 1);
  await executor.close();
});
afterAll(() => database.drop());

/** The audit of this ledger if its first event were this many hours older than the others. */
const withFirst = (hoursBefore: number) =>
  tamperWith(
    database.pool('owner'),
    async (client) => {
      await client.query(
        `update events set recorded_at = earlier.at,
            body = regexp_replace(body::text, '"time":"[^"]*"', '"time":"' ||
              to_char(earlier.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')::json
          from (select recorded_at - make_interval(hours => $1) as at from events where position = 1) as earlier
          where position = 1`,
        [hoursBefore],
      );
      await sealAgain(client);
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'seals');
    },
  );

test('a ledger without a seal is a finding when its first event is too old', async () => {
  expect(await withFirst(24)).toEqual([]);
  const [finding, ...others] = await withFirst(26);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ position: 1 });
  expect(finding?.message).toMatch(
    /^#1 to #\d+ are not sealed: \d+ events, the oldest 26 h before/,
  );
});

test('more events after the last seal than two of the largest seals have are a finding', async () => {
  const findingsAt = async (head: number) => {
    const findings = new Findings();
    const client = await pool.connect();
    const time = new Date().toISOString();
    await checkSealsDue(client, { sealedTo: 0, head, time }, findings);
    client.release();
    return findings.count;
  };
  expect(await findingsAt(UNSEALED_EVENTS_MAX)).toBe(0);
  expect(await findingsAt(UNSEALED_EVENTS_MAX + 1)).toBe(1);
});

test('a gap that was sealed later is no finding, nor are unsealed seals', async () => {
  const executor = startExecutor({ pool });
  await sealDue({ pool, executor, terms: { everyEvents: 16_384, everyMs: 0 } });
  await executor.close();
  const client = await pool.connect();
  const findings = new Findings();
  const { rows } = await client.query<{ to: number }>(
    `select (body->'data'->>'to')::int as to from events where type = 'LedgerSealed'`,
  );
  const later = new Date(Date.now() + 100 * 3_600_000).toISOString();
  const sealedTo = rows[0]?.to ?? 0;
  await checkSealsDue(client, { sealedTo, head: sealedTo + 1, time: later }, findings);
  client.release();
  expect(findings.kept).toEqual([]);
});
