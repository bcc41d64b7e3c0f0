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
  const { status, close } = startCashier({
    ...{ ...o, log, lagMs: cashierLagMs(settings.testLag) },
    anchorEveryMs: anchorEveryMsOf(settings),
  });
  const registry = measureCashier({ ...o, status });
  const conditions = paymentConditions({ ...o, status });
  const checks = [workerCheck('rounds', status)];
  service.add('cashier', { close, checks, conditions, registry });
}
