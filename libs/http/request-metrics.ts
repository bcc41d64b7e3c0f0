import { Histogram, type Registry } from '@reelbook/runtime/metrics';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Histogram of request durations by route and status. `api` is part of its name: one process may serve both APIs. */
export function measureRequests(
  registry: Registry,
  api: 'http' | 'admin',
): Histogram<'route' | 'status'> {
  return new Histogram({
    name: `reelbook_${api}_request_duration_seconds`,
    help: 'Request duration in seconds, by route and status',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
}
