import { acquireLease, LeaseLost } from '@reelbook/event-store/checkpoint';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Projection } from '@reelbook/projections/projection';
import { applyBatch, ensureTables } from '@reelbook/projections/run';
import type pg from 'pg';
import { expect } from 'vitest';

const LEASE_MS = 60_000;

/** Applies every batch twice: the second time must find the checkpoint moved and change nothing. */
export interface Projecting {
  apply(events: readonly RecordedEvent[]): Promise<void>;
  /** Applies what was not applied yet, in batches of that size. */
  applyInBatches(events: readonly RecordedEvent[], size: number): Promise<void>;
}

/** Makes the projection's tables and takes its lease. `pool` has the role projector. */
export async function startProjecting(pool: pg.Pool, projection: Projection): Promise<Projecting> {
  await ensureTables(pool, [projection]);
  const { name, version } = projection;
  const lease = await acquireLease(pool, { name, version, holder: 'test', leaseMs: LEASE_MS });
  if (!lease) throw new Error(`the lease of ${name} is taken`);
  let applied = lease.position;

  async function apply(events: readonly RecordedEvent[]): Promise<void> {
    const batch = {
      projection,
      lease: lease as NonNullable<typeof lease>,
      events,
      leaseMs: LEASE_MS,
    };
    await applyBatch(pool, batch);
    await expect(applyBatch(pool, batch)).rejects.toThrow(LeaseLost);
    applied = events.at(-1)?.position ?? applied;
  }

  return {
    apply,
    async applyInBatches(events, size) {
      for (let rest = events.slice(applied); rest.length > 0; rest = rest.slice(size)) {
        await apply(rest.slice(0, size));
      }
    },
  };
}
