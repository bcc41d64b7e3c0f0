import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { replayAndCompare } from '@reelbook/projections/compare';
import type { Projection } from '@reelbook/projections/projection';
import type pg from 'pg';
import type { Findings, Progress } from './findings.ts';

/**
 * Compares every read model, as it stands at its own checkpoint, with a replay from the first event. One that is behind
 * the ledger is late, not wrong; one that has stopped is a finding at the event it stopped at.
 * @returns rows compared in all.
 */
export async function auditReadModels(o: {
  pool: pg.Pool;
  projections: readonly Projection[];
  findings: Findings;
  onProgress: Progress;
}): Promise<number> {
  const checkpoints = await readCheckpoints(o.pool);
  let compared = 0;
  for (const projection of o.projections) {
    const { name, version } = projection;
    const checkpoint = checkpoints.find((one) => one.name === name && one.version === version);
    if (!checkpoint) {
      o.findings.add('read models', null, `${name} was never built`);
      continue;
    }
    if (checkpoint.status === 'stopped') {
      const at = checkpoint.position + 1;
      o.findings.add('read models', at, `${name} stopped here: ${checkpoint.error ?? 'no reason'}`);
    }
    const total = checkpoint.position;
    const step = `read model ${name}`;
    const result = await replayAndCompare(o.pool, projection, {
      onProgress: (done) => o.onProgress({ step, done, total }),
    });
    compared += result.rows;
    const difference = result.firstDifference;
    if (difference) {
      const { table, live, replayed } = difference;
      const text = `${table} at position ${result.position} has ${live ?? 'no row'}, a replay gives ${replayed ?? 'no row'}`;
      o.findings.add('read models', null, text);
    }
  }
  return compared;
}
