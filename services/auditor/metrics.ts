import { observeCounter, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { AuditorStatus } from './start.ts';

/** The sealing auditor's metrics, read on request. */
export function measureAuditor(status: () => AuditorStatus): Registry {
  const registry = openMetrics('auditor');
  observeCounter(registry, {
    name: 'reelbook_auditor_seals_total',
    help: 'Seals appended',
    read: () => status().seals,
  });
  return registry;
}
