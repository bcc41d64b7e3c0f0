import type { Check } from '@reelbook/runtime/health';
import { Gauge, measureDropped, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { ProjectionStatus } from './member.ts';

/** This process's work on each projection, read on request. */
export function measureProjector(
  status: () => readonly ProjectionStatus[],
  bus: Parameters<typeof measureDropped>[1],
): Registry {
  const registry = openMetrics('projector');
  measureDropped(registry, bus);
  const figure = (name: string, help: string, read: (one: ProjectionStatus) => number) =>
    new Gauge({
      name: `reelbook_projection_${name}`,
      help,
      labelNames: ['projection'],
      registers: [registry],
      collect() {
        for (const one of status()) this.set({ projection: one.name }, read(one));
      },
    });
  figure('leader', '1 while this process holds the lease of the projection', ({ state }) =>
    Number(state === 'working'),
  );
  figure('stopped', '1 when an event could not be applied', ({ state }) =>
    Number(state === 'stopped'),
  );
  figure('position', 'Last position applied by this one', ({ position }) => position ?? 0);
  return registry;
}

/** A stopped projection needs an operator; one that retries does not. */
export function projectorCheck(status: () => readonly ProjectionStatus[]): Check {
  return {
    name: 'projections',
    check() {
      const stopped = status().filter(({ state }) => state === 'stopped');
      const problems = stopped.map(({ name, failing }) => `${name} is stopped: ${failing}`);
      return problems.length === 0 ? null : problems.join('; ');
    },
  };
}
