import { measureRequests } from '@reelbook/http/request-metrics';
import { type Histogram, openMetrics, type Registry } from '@reelbook/runtime/metrics';

export interface AdminMetrics {
  readonly registry: Registry;
  /** Request durations in seconds, by route and status. */
  readonly requests: Histogram<'route' | 'status'>;
}

export function openAdminMetrics(): AdminMetrics {
  const registry = openMetrics('admin');
  return { registry, requests: measureRequests(registry, 'admin') };
}
