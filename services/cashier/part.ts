import { workerCheck } from '@reelbook/runtime/health';
import { StartError } from '@reelbook/runtime/lifecycle';
import { anchorEveryMsOf } from '@reelbook/runtime/sealing';
import type { Service } from '@reelbook/runtime/service';
import { cashierLagMs } from '@reelbook/runtime/test-lag';
import { measureCashier } from './metrics.ts';
import { type CashierDeps, startCashier } from './start.ts';

/** The cashier in a service: in its own process, or in the standalone. */
export function addCashier(
  service: Service,
  o: Pick<CashierDeps, 'pool' | 'chain' | 'signer' | 'localChain' | 'witnesses' | 'onAppended'>,
): void {
  const { log, settings } = service;
  if (!o.localChain && o.chain.providers < 2 && settings.singleRpcProvider !== 'yes') {
    throw new StartError(
      'SOLANA_RPC_URL names one provider, which could invent deposits. Add a URL of another provider, or set SINGLE_RPC_PROVIDER=yes.',
    );
  }
  const { status, mismatch, differing, figures, close } = startCashier({
    ...{ ...o, log, lagMs: cashierLagMs(settings.testLag) },
    anchorEveryMs: anchorEveryMsOf(settings),
  });
  const registry = measureCashier({ ...o, status, mismatch, figures });
  const checks = [
    workerCheck('rounds', status),
    // Named, but it does not take the process out of service: the other players are paid.
    { name: 'stored-states', optional: true, check: differing },
  ];
  service.add('cashier', { close, checks, registry });
}
