import type { Bus } from '@reelbook/event-store/bus/bus';
import { resumeFollower } from '@reelbook/event-store/checkpoint';
import { retryWhileUnavailable } from '@reelbook/event-store/db';
import { patienceOf } from '@reelbook/event-store/service-pool';
import { projections as registered } from '@reelbook/projections/all';
import type { Projection } from '@reelbook/projections/projection';
import { assertTables } from '@reelbook/projections/run';
import type { Check } from '@reelbook/runtime/health';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { Gauge, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { Service } from '@reelbook/runtime/service';
import { type LagOrder, readModelLag } from '@reelbook/runtime/test-lag';
import type pg from 'pg';
import {
  createMember,
  type Group,
  isHeld,
  type Member,
  type ProjectionStatus,
  startGroup,
  type Timing,
} from './group.ts';

const TIMING: Timing = {
  leaseMs: 5_000,
  standbyMs: 1_000,
  pollMs: 500,
  restMaxMs: 150,
  retryMinMs: 100,
  retryMaxMs: 2_000,
  lagMs: () => 0,
};

/** The delay of each projection with TEST_LAG set to `order`. */
export const testLagOf = (order: LagOrder): Timing['lagMs'] =>
  readModelLag(
    order,
    registered.map(({ name }) => name),
  );

export interface Projector {
  /** This process's work on each projection. How far behind they are: `@reelbook/projections/lag`. */
  status(): readonly ProjectionStatus[];
  /** Finishes the current batches and releases the leases. */
  close(): Promise<void>;
}

/**
 * Keeps all projections up to date, or the named ones. Several processes may name the same
 * projection: one works, the others are on standby. A stopped projection is retried. `pool` has the role projector.
 */
export async function startProjector(options: {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly names?: readonly string[];
  /** The projections to choose from; default: all of `libs/projections`. */
  readonly projections?: readonly Projection[];
  readonly timing?: Partial<Timing>;
}): Promise<Projector> {
  const { pool, bus, log } = options;
  const chosen = choose(options.projections ?? registered, options.names);
  await assertTables(pool, chosen);
  for (const projection of chosen) await resumeFollower(pool, projection);
  const timing = { ...TIMING, ...options.timing };
  const members = chosen.map(createMember);
  const groups = groupByLag(members, timing).map((group) => ({
    members: group.members,
    worker: startGroup({ pool, bus, log, timing, ...group }),
  }));
  const workerOf = (member: Member) =>
    groups.find((group) => group.members.includes(member))?.worker.status();
  return {
    status: () =>
      members.map((member) => {
        const retried = isHeld(member) ? (workerOf(member)?.failing ?? null) : null;
        return { ...member.status, failing: member.status.failing ?? retried };
      }),
    async close() {
      await Promise.all(groups.map(({ worker }) => worker.close()));
    },
  };
}

/** All members, except that one that tests delay is its own group. */
function groupByLag(
  members: readonly Member[],
  { lagMs }: Timing,
): readonly Pick<Group, 'members' | 'lagMs'>[] {
  const late = members.filter(({ projection }) => lagMs(projection.name) > 0);
  const others = members.filter((member) => !late.includes(member));
  return [
    ...(others.length > 0 ? [{ members: others, lagMs: 0 }] : []),
    ...late.map((member) => ({ members: [member], lagMs: lagMs(member.projection.name) })),
  ];
}

function choose(
  all: readonly Projection[],
  names: readonly string[] | undefined,
): readonly Projection[] {
  if (!names) return all;
  return names.map((name) => {
    const found = all.find((projection) => projection.name === name);
    if (found) return found;
    const known = all.map((one) => one.name).join(', ');
    throw new StartError(
      `PROJECTIONS names "${name}", which does not exist. Known projections: ${known}`,
    );
  });
}

/** This process's work on each projection, read on request. */
export function measureProjector(status: () => readonly ProjectionStatus[]): Registry {
  const registry = openMetrics('projector');
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
function projectorCheck(status: () => readonly ProjectionStatus[]): Check {
  return {
    name: 'projections',
    check() {
      const stopped = status().filter(({ state }) => state === 'stopped');
      const problems = stopped.map(({ name, failing }) => `${name} is stopped: ${failing}`);
      return problems.length === 0 ? null : problems.join('; ');
    },
  };
}

/** The projections as a part of a service: in their own process, or in the standalone. All of them if `names` is null. */
export async function addProjector(
  service: Service,
  options: { readonly pool: pg.Pool; readonly bus: Bus; readonly names: readonly string[] | null },
): Promise<void> {
  const { log, settings } = service;
  const { names, ...rest } = options;
  const timing = { lagMs: testLagOf(settings.testLag) };
  const { status, close } = await retryWhileUnavailable(
    () => startProjector({ ...rest, log, timing, ...(names ? { names } : {}) }),
    patienceOf(service),
  );
  const registry = measureProjector(status);
  service.add('projector', { close, checks: [projectorCheck(status)], registry });
  log.info({ projections: status().map(({ name }) => name) }, 'projecting');
}
