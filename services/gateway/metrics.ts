import { Counter, Gauge, Histogram, openMetrics, type Registry } from '@reelbook/runtime/metrics';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface Metrics {
  readonly registry: Registry;
  /** Seconds from the request to its answer, by route and status. */
  readonly requests: Histogram<'route' | 'status'>;
  readonly sockets: Gauge;
  readonly pushes: Counter<'type'>;
  /** Sockets that the server closed, by close code. */
  readonly closed: Counter<'code'>;
}

export function openGatewayMetrics(): Metrics {
  const registry = openMetrics('gateway');
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'reelbook_http_request_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    sockets: new Gauge({ name: 'reelbook_sockets', help: 'Open sockets', registers }),
    pushes: new Counter({
      name: 'reelbook_pushes_total',
      help: 'Messages pushed to sockets, by type',
      labelNames: ['type'],
      registers,
    }),
    closed: new Counter({
      name: 'reelbook_sockets_closed_total',
      help: 'Sockets closed by the server, by close code',
      labelNames: ['code'],
      registers,
    }),
  };
}
