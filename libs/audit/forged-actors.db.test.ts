import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { OPERATORS_STREAM, playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

const [ANN, EVE] = [createWallet(1).address, createWallet(2).address];

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  await players.register(ANN);
  await players.spin(ANN, 10);
  await executor.close();
});
afterAll(() => database.drop());

const added: LedgerEvent = {
  type: 'OperatorAdded',
  data: { operator: EVE, roleBefore: null, roleAfter: 'admin', reason: 'to help' },
};
const observed: LedgerEvent = {
  type: 'TreasuryObserved',
  data: { tokenMinor: 5n, previousTokenMinor: 0n, source: 'chain' },
};
const renamed: LedgerEvent = { type: 'NicknameChanged', data: { nickname: 'Ann' } };

it.each([
  [OPERATORS_STREAM, added, 'system:operator-command', 'system:gateway'],
  [OPERATORS_STREAM, added, 'system:standalone', 'system:operator'],
  [TREASURY_STREAM, observed, 'system:cashier', 'system:gateway'],
  [playerStream(ANN), renamed, `player:${ANN}`, `player:${EVE}`],
  [playerStream(ANN), renamed, `player:${ANN}`, 'system:cashier'],
] as const)(
  'finds in %s an event by an actor that may not write it',
  async (stream, event, honest, forger) => {
    const findingsBy = (actor: string) =>
      tamperWith(
        database.pool('owner'),
        () => forge(pool, stream, () => [event], actor),
        async () => {
          const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
          return findings.kept
            .filter(({ check }) => check === 'actors')
            .map(({ message }) => message);
        },
      );
    expect(await findingsBy(honest)).toEqual([]);
    expect(await findingsBy(forger)).toEqual([
      `${event.type} by ${forger}, which may not write it`,
    ]);
  },
);
