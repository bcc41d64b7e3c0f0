import { workerCheck } from '@reelbook/runtime/health';
import { anchorEveryMsOf } from '@reelbook/runtime/sealing';
import type { Service } from '@reelbook/runtime/service';
import { cashierLagMs } from '@reelbook/runtime/test-lag';
import { paymentConditions } from './alerts.ts';
import { measureCashier } from './metrics.ts';
import { type CashierDeps, startCashier } from './start.ts';

/** The cashier in a service: in its own process, or in the standalone. */
export function addCashier(
  service: Service,
  o: Pick<CashierDeps, 'pool' | 'chain' | 'signer' | 'localChain' | 'witnesses' | 'onAppended'>,
): void {
  const { log, settings } = service;
  const { status, differing, close } = startCashier({
    ...{ ...o, log, lagMs: cashierLagMs(settings.testLag) },
    anchorEveryMs: anchorEveryMsOf(settings),
  });
  const registry = measureCashier({ ...o, status });
  const conditions = paymentConditions({ ...o, status });
  const checks = [
    workerCheck('rounds', status),
    // Named, but it does not take the process out of service: the other players are paid.
    { name: 'stored-states', optional: true, alertAfterMs: 0, check: differing },
  ];
  service.add('cashier', { close, checks, conditions, registry });
}
