import type { Check } from '@reelbook/runtime/health';
import { Gauge, observeCounter, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { AuditorStatus } from './start.ts';

/** What the sealing auditor does, read when it is asked for. */
export function measureAuditor(status: () => AuditorStatus): Registry {
  const registry = openMetrics('auditor');
  const figure = (name: string, help: string, read: (now: AuditorStatus) => number) =>
    new Gauge({
      name: `reelbook_auditor_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read(status()));
      },
    });
  observeCounter(registry, {
    name: 'reelbook_auditor_seals_total',
    help: 'Seals set',
    read: () => status().seals,
  });
  figure('failing', '1 while the ledger cannot be sealed', ({ failing }) =>
    Number(failing !== null),
  );
  return registry;
}

export function auditorCheck(status: () => AuditorStatus): Check {
  return { name: 'sealing', check: () => status().failing };
}
