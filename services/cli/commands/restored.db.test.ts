/** The command `restored` of a ledger on which services went on after the loss. */
import { randomBytes } from 'node:crypto';
import { auditLedger } from '@reelbook/audit/audit';
import { findLoss } from '@reelbook/audit/restores';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { UNRECORDED_MAX } from '@reelbook/ledger/operators/restores';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { runInProcess } from '@reelbook/testing/run-program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../program.ts';

const LOST = 20;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('names what was lost however many events follow; their number is a finding of the audit', async () => {
  const pool = database.pool('app', 2);
  const executor = startExecutor({ pool });
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const players = createPlayers({ executor, vault });
  await players.configure();
  const wallets = await Promise.all(Array.from({ length: 20 }, () => players.register()));
  const { position: kept } = await readHead(pool);
  const play = async (wallet: string) => {
    while ((await readHead(pool)).position <= kept + UNRECORDED_MAX) await players.spin(wallet, 1);
  };
  await Promise.all(wallets.map(play));
  await executor.close();
  const words = ['restored', '--kept', String(kept), '--lost-to', String(kept + LOST)];
  const { code, output } = await runInProcess(reelbook, words, { DATABASE_URL: database.url });
  expect(output).toContain(`lost       #${kept + 1} to #${kept + LOST}`);
  expect(output).toContain('restored   epoch 1');
  expect(output).toContain('events follow the head that the ledger went back to');
  expect(code).toBe(1);
  const { ledgerSide } = await auditLedger({ pool, vault: null, onProgress() {} });
  const body = JSON.stringify({ stream: 'seals', time: '2020-01-01T00:00:00.000Z' });
  expect(await findLoss(pool, ledgerSide.restores, { position: kept + 1, body })).toBe(1);
});
