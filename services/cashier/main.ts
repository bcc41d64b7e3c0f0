/** The process of the cashier: the only process with the treasury's key. */
import { openServiceBus } from '@reelbook/event-store/bus/nats';
import { readClocks } from '@reelbook/event-store/clock';
import { retryWhileUnavailable } from '@reelbook/event-store/db';
import { openServicePool, patienceOf } from '@reelbook/event-store/service-pool';
import { DECIMALS } from '@reelbook/ledger/money';
import { assertLedgerKind } from '@reelbook/payments/ledger-kind';
import { measureSolvency } from '@reelbook/payments/metrics';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { measureClocks, openMetrics } from '@reelbook/runtime/metrics';
import { startService } from '@reelbook/runtime/service';
import { readSigner } from '@reelbook/solana/keys';
import { openChain } from '@reelbook/solana/rpc';
import { addCashier } from './start.ts';

/** Providers that must confirm that a payment never landed before it is signed again. */
const WITNESSES = 2;

await startService({
  name: 'cashier',
  settings: ['databaseUrl'],
  async start(service) {
    const { log, settings } = service;
    const external = chainOf(settings);
    if (!external) {
      // Does not exit: a supervisor would restart it in a loop.
      return log.warn('SOLANA_RPC_URL is not set: the cashier has no work');
    }
    const { urls, mint, wallet, allow } = external;
    const pool = await openServicePool(service, { role: 'app', name: 'cashier' });
    await retryWhileUnavailable(() => assertLedgerKind(pool, 'real'), patienceOf(service));
    const onTrouble = (trouble: object) => log.warn(trouble, 'an RPC failed');
    const chain = openChain({ urls, mint, wallet, allow, decimals: DECIMALS.token, onTrouble });
    if (chain.providers < WITNESSES) {
      log.warn(
        'one RPC provider: its reports alone credit deposits, and an expired attempt waits for an operator, because no second provider confirms it',
      );
    }
    const key = settings.treasuryKey;
    const signer = key && readSigner(key);
    const { natsUrl } = settings;
    const bus =
      natsUrl === null
        ? null
        : await openServiceBus({ ...service, settings: { natsUrl } }, { pool, optional: true });
    addCashier(service, { pool, bus, chain, signer, localChain: false, witnesses: WITNESSES });
    const registry = openMetrics('cashier');
    measureSolvency(registry, pool);
    measureClocks(registry, () => readClocks(pool));
    service.add('solvency', { registry });
    log.info({ wallet, pays: key !== null }, 'cashier started');
  },
});
