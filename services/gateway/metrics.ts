import type { Bus } from '@reelbook/event-store/bus/bus';
import { readClocks } from '@reelbook/event-store/clock';
import { measureRequests } from '@reelbook/http/health-routes';
import { measureSolvency } from '@reelbook/payments/metrics';
import { projections } from '@reelbook/projections/all';
import { type Lag, readLag } from '@reelbook/projections/lag';
import {
  Counter,
  Gauge,
  type Histogram,
  measureClocks,
  measureDropped,
  openMetrics,
  type Registry,
} from '@reelbook/runtime/metrics';
import type pg from 'pg';

export interface Metrics {
  readonly registry: Registry;
  /** Request durations in seconds, by route and status. */
  readonly requests: Histogram<'route' | 'status'>;
  readonly sockets: Gauge;
  readonly pushes: Counter<'type'>;
  /** Sockets that the server closed. */
  readonly closed: Counter<'code' | 'reason'>;
  /** Bytes that wait in this process for slow readers. */
  readonly unsent: Gauge;
}

/** Scraping queries the pool and the bus: the lag of every follower, and the liabilities. */
export function openGatewayMetrics(pool: pg.Pool, bus: Pick<Bus, 'dropped'>): Metrics {
  const registry = openMetrics('gateway');
  measureSolvency(registry, pool);
  measureFollowers(registry, pool);
  measureClocks(registry, () => readClocks(pool));
  measureDropped(registry, bus);
  const registers = [registry];
  return {
    registry,
    requests: measureRequests(registry, 'http'),
    sockets: new Gauge({ name: 'reelbook_websocket_connections', help: 'Open sockets', registers }),
    pushes: new Counter({
      name: 'reelbook_websocket_messages_total',
      help: 'Messages pushed to sockets, by type',
      labelNames: ['type'],
      registers,
    }),
    closed: new Counter({
      name: 'reelbook_websocket_closed_total',
      help: 'Sockets closed by the server, by close code and reason. 1006: without a close message (unanswered: no response to a ping; memory: most unsent bytes when all sockets exceed 64 MB)',
      labelNames: ['code', 'reason'],
      registers,
    }),
    unsent: new Gauge({
      name: 'reelbook_websocket_unsent_bytes',
      help: 'Bytes of messages that sockets have not read yet, in this process, of at most 64 MB',
      registers,
    }),
  };
}

/** Of the gateway: a publisher, projector or cashier that is down reports nothing. */
function measureFollowers(registry: Registry, pool: pg.Pool): void {
  const figure = (unit: string, help: string, read: (lag: Lag) => number) =>
    new Gauge({
      name: `reelbook_follower_lag_${unit}`,
      help,
      labelNames: ['follower'],
      registers: [registry],
      async collect() {
        const lags = await readLag(pool);
        this.reset();
        for (const lag of lags) if (isFollower(lag)) this.set({ follower: lag.name }, read(lag));
      },
    });
  figure('positions', 'Events that a follower has not applied yet', (lag) => lag.behindPositions);
  figure('seconds', 'Age of the oldest of these events', (lag) => lag.behindSeconds);
}

/** Whether a worker of this build follows the ledger: not an older version of a projection, nor a lease without positions. */
const isFollower = (of: Lag) =>
  ['publisher', 'cashier'].includes(of.name) ||
  projections.some(({ name, version }) => name === of.name && version === of.version);
