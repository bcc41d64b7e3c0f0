import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Check, checkHealth } from './health.ts';

export { Counter, Gauge, Histogram, Registry };

/** One registry per service, so that several services can run in one process. */
export function openMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/** Adds memory, CPU and event-loop lag to one registry of the process. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
}

/** The checks of `/ready` as a gauge; `checks` may grow while the process starts. */
export function measureChecks(registry: Registry, checks: readonly Check[]): void {
  new Gauge({
    name: 'reelbook_check_failing',
    help: '1 while this check of `/ready` fails (docs/operations.md)',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const faults = Object.entries((await checkHealth(checks)).checks);
      for (const [check, fault] of faults) this.set({ check }, Number(fault !== null));
    },
  });
}

/** A gauge for each figure of a status, read at each scrape; true is 1. */
export function measureStatus<Status>(
  registry: Registry,
  prefix: string,
  o: {
    status(): Status;
    readonly figures: Readonly<
      Record<string, readonly [help: string, read: (now: Status) => number | boolean | null]>
    >;
  },
): void {
  for (const [name, [help, read]] of Object.entries(o.figures)) {
    new Gauge({
      name: `reelbook_${prefix}_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(Number(read(o.status())));
      },
    });
  }
}

/** Of the services with READ_DATABASE_URL, as of the last read or check; NaN while it does not respond. */
export function measureStandby(
  service: string,
  o: {
    state(): { readonly behind_positions: number | null; readonly behind_s: number | null };
    readonly answered: Readonly<Record<'standby' | 'leader', number>>;
  },
): Registry {
  const registry = openMetrics(service);
  const { NaN: unknown } = Number;
  measureStatus(registry, 'standby', {
    status: o.state,
    figures: {
      lag_positions: ['Events that the standby lacks', (now) => now.behind_positions ?? unknown],
      lag_seconds: ['Age of the oldest of these events', (now) => now.behind_s ?? unknown],
      reads: ['Reads that it has answered since the start', () => o.answered.standby],
      reads_by_leader: ['Those that the leader answered instead', () => o.answered.leader],
    },
  });
  return registry;
}

/** For services that consume from the bus. */
export function measureDropped(registry: Registry, bus: { dropped(): number }): void {
  observeCounter(registry, {
    name: 'reelbook_bus_dropped_messages_total',
    help: 'Malformed messages on the bus, and messages that do not match the ledger. If it grows, another program publishes to the bus',
    read: () => bus.dropped(),
  });
}

/** Of the services that append to the ledger. */
export function measureClocks(
  registry: Registry,
  read: () => Promise<{ readonly skewMs: number; readonly ledgerAheadMs: number }>,
): void {
  new Gauge({
    name: 'reelbook_clock_difference_seconds',
    help: 'Clock of this process minus clock of Postgres (skew: appends are refused above 30 or below -30), and time of the last event minus the later of both (ledger-ahead)',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      this.reset();
      const reading = await read().catch(() => null);
      if (!reading) return;
      this.set({ part: 'skew' }, reading.skewMs / 1_000);
      this.set({ part: 'ledger-ahead' }, reading.ledgerAheadMs / 1_000);
    },
  });
}

/** A counter whose value is kept elsewhere and read at each scrape. */
export function observeCounter(
  registry: Registry,
  { name, help, read }: { readonly name: string; readonly help: string; read(): number },
): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
