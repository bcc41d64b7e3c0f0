import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { HOLDING_MAX_MINOR } from '@reelbook/ledger/money';
import { createDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { observeTreasury } from '@reelbook/testing/treasury';
import { expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

it('observes a treasury beyond the integers of Postgres, and less again', async () => {
  const database = await createDatabase();
  const pool = database.pool('app');
  const executor = startExecutor({ pool });
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  await createPlayers({ executor, vault }).configure();
  for (const heldMinor of [10n ** 18n + 1n, HOLDING_MAX_MINOR, 5n]) {
    await observeTreasury(pool, heldMinor);
    const { findings, treasury } = await auditLedger({ pool, vault: null, onProgress: () => {} });
    expect(findings.kept).toEqual([]);
    expect(treasury).toMatchObject({ observedMinor: heldMinor, marginMinor: heldMinor });
  }
  await executor.close();
  await database.drop();
});
