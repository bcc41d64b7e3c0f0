import type { Check } from '@reelbook/runtime/health';
import { Gauge, openMetrics, type Registry } from '@reelbook/runtime/metrics';
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
  figure('seals', 'Seals set since its start', ({ seals }) => seals);
  figure('failing', '1 while the book cannot be sealed', ({ failing }) => Number(failing !== null));
  return registry;
}

export function auditorCheck(status: () => AuditorStatus): Check {
  return { name: 'sealing', check: () => status().failing };
}
