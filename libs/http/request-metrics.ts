import { Histogram, type Registry } from '@reelbook/runtime/metrics';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Seconds from a request to its answer, by route and status. `door` names it: one process may have several. */
export function measureRequests(
  registry: Registry,
  door: 'http' | 'admin',
): Histogram<'route' | 'status'> {
  return new Histogram({
    name: `reelbook_${door}_request_duration_seconds`,
    help: 'Time to answer, by route and status',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
}
