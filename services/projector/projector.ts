import type { Bus } from '@reelbook/event-store/bus/bus';
import { resumeFollower } from '@reelbook/event-store/checkpoint';
import { projections as registered } from '@reelbook/projections/all';
import type { Projection } from '@reelbook/projections/projection';
import { assertTables } from '@reelbook/projections/run';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { type LagOrder, readModelLag } from '@reelbook/runtime/test-lag';
import type pg from 'pg';
import { startFeed } from './feed.ts';
import { type Group, startGroup, type Timing } from './group.ts';
import { createMember, isHeld, type Member, type ProjectionStatus } from './member.ts';

const TIMING: Timing = {
  leaseMs: 5_000,
  standbyMs: 1_000,
  pollMs: 2_000,
  pollDownMs: 500,
  paceMs: 5,
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
 * Keeps all projections up to date, or the named ones, in groups of the same interval. Several processes may name the same
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
  const feed = await startFeed({ pool, bus, log });
  const timing = { ...TIMING, ...options.timing };
  const members = chosen.map(createMember);
  const groups = groupByPace(members, timing).map((group) => ({
    members: group.members,
    worker: startGroup({ pool, feed, log, busHealthy: () => bus.healthy(), timing, ...group }),
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
      const closed = groups.map(({ worker }) => worker.close());
      await feed.close();
      await Promise.all(closed);
    },
  };
}

/** Members of the same interval; one that tests delay is its own group. */
function groupByPace(
  members: readonly Member[],
  timing: Timing,
): readonly Pick<Group, 'members' | 'paceMs' | 'lagMs'>[] {
  const groups = new Map<string, { members: Member[]; paceMs: number; lagMs: number }>();
  for (const member of members) {
    const paceMs = Math.max(timing.paceMs, member.projection.paceMs ?? 0);
    const lagMs = timing.lagMs(member.projection.name);
    const key = lagMs > 0 ? member.projection.name : String(paceMs);
    const group = groups.get(key) ?? { members: [], paceMs, lagMs };
    group.members.push(member);
    groups.set(key, group);
  }
  return [...groups.values()];
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
