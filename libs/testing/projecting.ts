import { acquireLease, LeaseLost } from '@reelbook/event-store/checkpoint';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Projection } from '@reelbook/projections/projection';
import {
  applyTogether,
  type Batch,
  ensureTables,
  type Member,
  MemberFailed,
} from '@reelbook/projections/run';
import type pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from './database.ts';

const LEASE_MS = 60_000;

export interface Projecting {
  /** Applies the batch twice: the second time must find the checkpoint moved and change nothing. */
  apply(events: readonly RecordedEvent[]): Promise<void>;
  /** Applies what was not applied yet, in batches of that size; only the last of them twice. */
  applyInBatches(events: readonly RecordedEvent[], size: number): Promise<void>;
}

/** `applyTogether` for one projection. Throws the errors of its `fold` and `apply` unwrapped. */
export async function applyBatch(pool: pg.Pool, options: Batch & Member): Promise<void> {
  const { projection, lease, ...batch } = options;
  try {
    await applyTogether(pool, { ...batch, members: [{ projection, lease }] });
  } catch (error) {
    throw error instanceof MemberFailed ? error.cause : error;
  }
}

/** Makes the projection's tables and takes its lease. */
export async function startProjecting(
  database: Pick<TestDatabase, 'pool'>,
  projection: Projection,
): Promise<Projecting> {
  const pool = database.pool('projector');
  const owner = database.pool('owner', 1);
  await ensureTables(owner, [projection]);
  const { name, version } = projection;
  const lease = await acquireLease(pool, { name, version, holder: 'test', leaseMs: LEASE_MS });
  if (!lease) throw new Error(`the lease of ${name} is taken`);
  let applied = lease.position;

  const batchOf = (events: readonly RecordedEvent[]) => ({
    projection,
    lease,
    events,
    leaseMs: LEASE_MS,
  });

  async function applyInBatches(events: readonly RecordedEvent[], size: number): Promise<void> {
    await seal(owner, events.slice(applied));
    let last: readonly RecordedEvent[] = [];
    for (let rest = events.slice(applied); rest.length > 0; rest = rest.slice(size)) {
      last = rest.slice(0, size);
      await applyBatch(pool, batchOf(last));
      applied = last.at(-1)?.position ?? applied;
    }
    if (last.length > 0) await expect(applyBatch(pool, batchOf(last))).rejects.toThrow(LeaseLost);
  }

  return {
    applyInBatches,
    async apply(events) {
      await seal(owner, events);
      await applyBatch(pool, batchOf(events));
      await expect(applyBatch(pool, batchOf(events))).rejects.toThrow(LeaseLost);
      applied = events.at(-1)?.position ?? applied;
    },
  };
}

/** Inserts events into the ledger with their times and hashes; existing ones stay. */
async function seal(owner: pg.Pool, events: readonly RecordedEvent[]): Promise<void> {
  const rows = events.map(({ event, hash, ...recorded }) => ({
    ...recorded,
    type: event.type,
    hash: `\\x${hash}`,
  }));
  await owner.query(
    `insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
      select position, "firstPosition", stream_key(stream), version, type, body::json,
        hash::bytea, time
      from json_to_recordset($1) as added(position bigint, "firstPosition" bigint, stream text,
        version bigint, type text, body text, hash text, time timestamptz)
      on conflict (position) do nothing`,
    [JSON.stringify(rows)],
  );
}
