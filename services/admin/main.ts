/** The operators' console as a process of its own. */
import { connectNats } from '@reelbook/bus/nats';
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { adminPortOf } from '@reelbook/runtime/admin-settings';
import { findAuditedChain, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { explain, runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { measureProcess } from '@reelbook/runtime/metrics';
import { readSettings, type Settings } from '@reelbook/runtime/settings';
import { openStatus } from '@reelbook/runtime/status';
import type pg from 'pg';
import { startAdmin } from './admin.ts';
import { checksOf } from './status.ts';

const EXIT_BAD_START = 2;

/** Without the key rounds that are not revealed yet wait, and audits are public ones. */
function vaultOf(
  settings: Pick<Settings, 'seedKey' | 'seedKeyId'>,
  pool: pg.Pool,
): SeedVault | null {
  const { seedKey: key } = settings;
  return key ? openSeedVault({ pool, key, keyId: seedKeyIdOf(settings, key) }) : null;
}

async function main(): Promise<void> {
  const settings = readSettings(['databaseUrl', 'natsUrl', 'sessionKey']);
  const log = openLog({ name: 'admin', level: settings.logLevel });
  await runProcess(log, async (life) => {
    const { databaseUrl: url, poolMax: max, host, sessionKey } = settings;
    const pool = openPool({ url, role: 'app', max, name: 'admin' });
    life.onClose('pool', () => pool.end());
    await untilAvailable(pool, {
      signal: life.signal,
      onAway: (error) => log.warn({ err: error }, 'the database is away; waiting for it'),
    });
    const bus = await connectNats({ url: settings.natsUrl, log });
    life.onClose('bus', () => bus.close());
    const admin = await startAdmin({
      pool,
      bus,
      log,
      work: { databaseUrl: url, chain: findAuditedChain(settings) },
      vault: vaultOf(settings, pool),
      signKey: settings.receiptKey,
      settings: {
        host,
        port: adminPortOf(settings),
        sessionKey,
        localChain: settings.solanaRpcUrl === null,
        webRoot: settings.adminWebRoot,
      },
    });
    life.onClose('console', admin.close);
    measureProcess(admin.registry);
    const checks = checksOf({ pool, bus });
    await openStatus(life, { log, settings, checks, registries: [admin.registry] });
  });
}

main().catch((error: unknown) => {
  explain(error);
  process.exit(EXIT_BAD_START);
});
