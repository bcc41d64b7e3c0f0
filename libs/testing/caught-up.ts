import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { WAIT } from './wait.ts';

const names = new Set(projections.map(({ name }) => name));

/** Waits until every read model has applied the ledger as it is now. @returns its head. */
export async function untilCaughtUp(pool: pg.Pool): Promise<number> {
  const { position: head } = await readHead(pool);
  await vi.waitFor(async () => {
    const all = (await readCheckpoints(pool)).filter(({ name }) => names.has(name));
    const behind = all.filter(({ position }) => position < head);
    expect(behind.map(({ name }) => name)).toEqual([]);
  }, WAIT);
  return head;
}
