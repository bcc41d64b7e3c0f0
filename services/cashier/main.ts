/** The process of the cashier: the only one that holds the treasury's key. */
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { bookCheck } from '@reelbook/event-store/read-log';
import { DECIMALS } from '@reelbook/ledger/money';
import { assertKind } from '@reelbook/payments/kind-of-book';
import { measureSolvency } from '@reelbook/payments/metrics';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { measureProcess } from '@reelbook/runtime/metrics';
import { anchorEveryMsOf } from '@reelbook/runtime/sealing';
import { readSettings } from '@reelbook/runtime/settings';
import { openStatus } from '@reelbook/runtime/status';
import { cashierLagMs } from '@reelbook/runtime/test-lag';
import { readSigner } from '@reelbook/solana/keys';
import { openChain } from '@reelbook/solana/rpc';
import { cashierCheck, measureCashier } from './metrics.ts';
import { startCashier } from './start.ts';

const LEVEL = 'info';
const IDLE_MS = 60_000;
/** Providers that must say that a payment never landed before it is signed anew. */
const WITNESSES = 2;

const log = openLog({ name: 'cashier', level: LEVEL });

await runProcess(log, async (life) => {
  const settings = readSettings(['databaseUrl']);
  log.level = settings.logLevel ?? LEVEL;
  const outside = chainOf(settings);
  if (!outside) {
    // Not an end, which whoever watches over it would answer with another start, for ever.
    log.warn('SOLANA_RPC_URL is not set: there is nothing to carry');
    const idle = setInterval(() => {}, IDLE_MS);
    life.onClose('idling', () => clearInterval(idle));
    await openStatus(life, { log, settings, checks: [], registries: [] });
    return;
  }
  const key = settings.treasuryKey;
  const { urls, mint, wallet, allow } = outside;
  const onTrouble = (trouble: object) => log.warn(trouble, 'an RPC failed');
  const pool = openPool({
    ...{ url: settings.databaseUrl, role: 'app', max: settings.poolMax, name: 'cashier' },
  });
  life.onClose('pool', () => pool.end());
  await untilAvailable(pool, {
    signal: life.signal,
    onAway: (error) => log.warn({ err: error }, 'the database is away; waiting for it'),
  });
  await assertKind(pool, 'real');
  const chain = openChain({ urls, mint, wallet, allow, decimals: DECIMALS.token, onTrouble });
  if (chain.providers < WITNESSES) {
    log.warn(
      'one RPC provider: an attempt that expires waits for a person, for a second one says nothing',
    );
  }
  const cashier = startCashier({
    pool,
    chain,
    signer: key && readSigner(key),
    log,
    localChain: false,
    witnesses: WITNESSES,
    anchorEveryMs: anchorEveryMsOf(settings),
    lagMs: cashierLagMs(settings.testLag),
  });
  life.onClose('cashier', cashier.close);
  const registry = measureCashier({ status: cashier.status, pool, chain });
  measureSolvency(registry, pool);
  measureProcess(registry);
  await openStatus(life, {
    ...{ log, settings, registries: [registry] },
    checks: [bookCheck(pool), cashierCheck(cashier.status)],
  });
  log.info({ wallet, pays: key !== null }, 'the cashier is here');
});
