/** The gateway as a process of its own. */
import { connectNats } from '@reelbook/bus/nats';
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { explain, runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { readSettings } from '@reelbook/runtime/settings';
import { startGateway } from './gateway.ts';
import { openRealChain } from './real-chain.ts';

const EXIT_BAD_START = 2;

async function main(): Promise<void> {
  const settings = readSettings(['databaseUrl', 'natsUrl', 'seedKey', 'sessionKey', 'receiptKey']);
  const log = openLog({ name: 'gateway', level: settings.logLevel });
  await runProcess(log, async (life) => {
    const { databaseUrl: url, poolMax: max, seedKey, sessionKey, receiptKey } = settings;
    const pool = openPool({ url, role: 'app', max, name: 'gateway' });
    life.onClose('pool', () => pool.end());
    await untilAvailable(pool, {
      signal: life.signal,
      onAway: (error) => log.warn({ err: error }, 'the database is away; waiting for it'),
    });
    const bus = await connectNats({ url: settings.natsUrl, log });
    life.onClose('bus', () => bus.close());
    const outside = chainOf(settings);
    const chain = outside && (await openRealChain(outside, log));
    const gateway = await startGateway({
      chain,
      pool,
      bus,
      log,
      settings: {
        host: settings.host,
        port: settings.port,
        seedKey,
        sessionKey,
        receiptKey,
        seedKeyId: seedKeyIdOf(settings, seedKey),
        localChain: chain === null,
        gameTickMs: settings.gameTickMs,
        webRoot: settings.webRoot,
        homeFigures: settings.homeFigures,
      },
    });
    life.onClose('gateway', gateway.close);
  });
}

main().catch((error: unknown) => {
  explain(error);
  process.exit(EXIT_BAD_START);
});
