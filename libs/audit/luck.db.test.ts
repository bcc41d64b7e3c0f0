import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { winsNext } from '@reelbook/testing/next-draw';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from './audit.ts';
import { describeReport } from './report.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Chance leaves a reader of seeds unnamed after so many rounds less than once in 10^12 runs. */
const ROUNDS = 150;

test('names a reader of seeds who staked 1 on losses and 1,000 on wins', async () => {
  const pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  const reader = await players.register();
  await players.spin(reader, 1);
  for (let n = 0; n < ROUNDS; n++) {
    // Every other round is the largest stake that the welcome of 1,000 points leaves.
    await players.spin(reader, (await winsNext({ pool, vault }, reader)) ? 500 : 1);
  }
  await executor.close();
  const report = await auditLedger({ pool, vault: null, onProgress: () => {} });
  expect(report.luck).toMatchObject({
    players: 1,
    named: [{ player: reader, rounds: ROUNDS + 1 }],
  });
  // The ledger is intact: it is a warning, not a finding.
  expect(report.findings.kept).toEqual([]);
  const text = describeReport(report, null, 1, 'no chain');
  expect(text).toContain(
    `WARNING   luck: player ${reader} won more in 151 rounds than chance allows`,
  );
  expect(text).toContain('CLEAN');
});
