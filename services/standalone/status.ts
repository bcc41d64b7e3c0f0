import { auditorCheck, measureAuditor } from '@reelbook/auditor/metrics';
import type { startAuditor } from '@reelbook/auditor/start';
import { cashierCheck, measureCashier } from '@reelbook/cashier/metrics';
import type { RunningCashier } from '@reelbook/cashier/start';
import { checksOf } from '@reelbook/gateway/status';
import { measureProjector, projectorCheck } from '@reelbook/projector/metrics';
import type { Projector } from '@reelbook/projector/projector';
import { measurePublisher, publisherCheck } from '@reelbook/publisher/metrics';
import type { Publisher } from '@reelbook/publisher/publisher';
import type { Lifecycle } from '@reelbook/runtime/lifecycle';
import type { Registry } from '@reelbook/runtime/metrics';
import { openStatus, type StatusOptions } from '@reelbook/runtime/status';
import type { Chain } from '@reelbook/solana/rpc';

/** One status port for all parts of the process. @returns its URL. */
export function openOwnStatus(
  life: Lifecycle,
  o: Pick<StatusOptions, 'log' | 'settings'> &
    Parameters<typeof checksOf>[0] & {
      readonly chain: Chain;
      readonly parts: {
        readonly gateway: { readonly registry: Registry };
        readonly console: { readonly registry: Registry };
        readonly publisher: Publisher;
        readonly projector: Projector;
        readonly auditor: ReturnType<typeof startAuditor>;
        readonly cashier: RunningCashier;
      };
    },
): Promise<string> {
  const { gateway, console, publisher, projector, auditor, cashier } = o.parts;
  return openStatus(life, {
    ...o,
    checks: [
      ...checksOf(o),
      publisherCheck(publisher.status),
      projectorCheck(projector.status),
      auditorCheck(auditor.status),
      cashierCheck(cashier.status),
    ],
    registries: [
      gateway.registry,
      console.registry,
      measurePublisher(publisher.status),
      measureProjector(projector.status, o.bus),
      measureAuditor(auditor.status),
      measureCashier({ status: cashier.status, pool: o.pool, chain: o.chain }),
    ],
  });
}
