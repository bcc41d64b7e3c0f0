import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

/** A registry of its own for each service, so that several live in one process. */
export function openMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/** Adds memory, CPU and event-loop lag: for one registry of a process only. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
}

/** Of the services that follow the bus. */
export function measureDropped(registry: Registry, bus: { dropped(): number }): void {
  observeCounter(registry, {
    name: 'reelbook_bus_dropped_messages_total',
    help: 'Messages on the bus that were malformed or not of the ledger: look for who publishes them when it grows',
    read: () => bus.dropped(),
  });
}

/** A counter that is kept elsewhere and read when it is asked for. */
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
