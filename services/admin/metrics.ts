import { measureRequests } from '@reelbook/http/request-metrics';
import { Gauge, type Histogram, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type pg from 'pg';
import { readLastAudit } from './jobs/jobs.ts';

export interface AdminMetrics {
  readonly registry: Registry;
  /** Request durations in seconds, by route and status. */
  readonly requests: Histogram<'route' | 'status'>;
}

export function openAdminMetrics(pool: pg.Pool): AdminMetrics {
  const registry = openMetrics('admin');
  new Gauge({
    name: 'reelbook_last_audit',
    help: '1 for the result of the last audit of the console: clean, findings, or incomplete (unproven, failed, or its process ended)',
    labelNames: ['result'],
    registers: [registry],
    async collect() {
      const job = await readLastAudit(pool);
      this.reset();
      if (!job) return;
      const { clean, unproven = [] } = job.audit ?? { clean: true, unproven: ['no result'] };
      const result = unproven.length === 0 ? 'clean' : 'incomplete';
      this.set({ result: clean ? result : 'findings' }, 1);
    },
  });
  return { registry, requests: measureRequests(registry, 'admin') };
}
