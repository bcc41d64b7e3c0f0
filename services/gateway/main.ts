/** The gateway as a process of its own. */
import { connectNats } from '@reelbook/bus/nats';
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { explain, runProcess, StartError } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { readSettings } from '@reelbook/runtime/settings';
import { openStatus } from '@reelbook/runtime/status';
import { startGateway } from './gateway.ts';
import { openRealChain } from './real-chain.ts';
import { checksOf } from './status.ts';

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
    assertOneMoney(outside !== null, settings.playMoney === 'yes');
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
    const checks = checksOf({ pool, bus });
    await openStatus(life, { log, settings, checks, registries: [gateway.registry] });
  });
}

/** Without a chain points are worth nothing, which is never so because a setting was forgotten. */
function assertOneMoney(hasChain: boolean, playMoney: boolean): void {
  if (hasChain !== playMoney) return;
  throw new StartError(
    hasChain
      ? 'PLAY_MONEY=yes is set beside SOLANA_RPC_URL: points of one book are play money or real.'
      : 'Set SOLANA_RPC_URL, or PLAY_MONEY=yes for a book whose points are worth nothing.',
  );
}

main().catch((error: unknown) => {
  explain(error);
  process.exit(EXIT_BAD_START);
});
