import { measureRequests } from '@reelbook/http/request-metrics';
import {
  Counter,
  Gauge,
  type Histogram,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';

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
    requests: measureRequests(registry),
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
