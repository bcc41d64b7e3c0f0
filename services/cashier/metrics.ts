import type { Check } from '@reelbook/runtime/health';
import { Gauge, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { CashierStatus } from './start.ts';

/** What this cashier does, read when it is asked for. */
export function measureCashier(status: () => CashierStatus): Registry {
  const registry = openMetrics('cashier');
  const figure = (name: string, help: string, read: (now: CashierStatus) => number) =>
    new Gauge({
      name: `reelbook_cashier_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read(status()));
      },
    });
  figure('acting', '1 while this one holds the lease', ({ acting }) => Number(acting));
  figure('failing', '1 while a part of its round fails', ({ failing }) => Number(failing !== null));
  return registry;
}

export function cashierCheck(status: () => CashierStatus): Check {
  return { name: 'rounds', check: () => status().failing };
}
