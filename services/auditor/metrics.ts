import { measureStatus, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { AuditorStatus } from './start.ts';

/** What the sealing auditor does, read when it is asked for. */
export function measureAuditor(status: () => AuditorStatus): Registry {
  const registry = openMetrics('auditor');
  measureStatus(registry, 'auditor', {
    status,
    figures: {
      seals: ['Seals set since its start', ({ seals }) => seals],
      failing: ['1 while the book cannot be sealed', ({ failing }) => failing !== null],
    },
  });
  return registry;
}
