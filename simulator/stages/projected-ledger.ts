/**
 * A played ledger for each test of a file, with publisher and projectors at work on it, all ended after the test. `ledger`
 * is set once the hooks ran: every test file loads its own copy of this module.
 */
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { Projection } from '@reelbook/projections/projection';
import type { Timing } from '@reelbook/projector/group';
import { type Projector, startProjector } from '@reelbook/projector/projector';
import { startPublisher } from '@reelbook/publisher/publisher';
import { openLog } from '@reelbook/runtime/log';
import { createPlayedLedger, type PlayedLedger } from '@reelbook/testing/played-ledger';
import type pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { LAG } from './lag.ts';

const FAST: Partial<Timing> = {
  standbyMs: 50,
  pollMs: 20,
  restMaxMs: 10,
  retryMaxMs: 200,
  lagMs: LAG.readModelMs,
};

const log = openLog({ name: 'test', level: 'silent' });
export let ledger: PlayedLedger;
/** What is to be closed after the test, the last opened first. */
export const closers: (() => Promise<void>)[] = [];

export function useProjectedLedger(): void {
  beforeEach(async () => {
    ledger = await createPlayedLedger();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await ledger.database.drop();
  });
}

/** A projector on the ledger, with short intervals unless `timing` is given; of all projections unless some are named. */
export async function projecting(o: {
  readonly bus: Bus;
  readonly pool?: pg.Pool;
  readonly timing?: Partial<Timing>;
  readonly names?: readonly string[];
  readonly projections?: readonly Projection[];
}): Promise<Projector> {
  const { pool = ledger.database.pool('projector', 8), timing, ...rest } = o;
  const projector = await startProjector({ ...rest, pool, log, timing: { ...FAST, ...timing } });
  closers.push(projector.close);
  return projector;
}

export async function publishing(bus: Bus): Promise<void> {
  const timing = { restMaxMs: 10, lagMs: LAG.publisherMs };
  const publisher = await startPublisher({
    pool: ledger.database.pool('app', 2),
    bus,
    log,
    timing,
  });
  closers.push(publisher.close);
}
