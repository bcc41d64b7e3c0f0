import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { replayAndCompare } from '@reelbook/projections/compare';
import type { Projection } from '@reelbook/projections/projection';
import type pg from 'pg';
import type { Findings, Progress } from './findings.ts';

/**
 * Compares every projection, at its checkpoint, with a replay from the first event. A projection that is late is not wrong;
 * one that has stopped is a finding at the event it stopped at.
 * @returns the number of rows compared.
 */
export async function checkProjections(options: {
  pool: pg.Pool;
  projections: readonly Projection[];
  findings: Findings;
  onProgress: Progress;
}): Promise<number> {
  const checkpoints = await readCheckpoints(options.pool);
  let compared = 0;
  for (const projection of options.projections) {
    const { name, version } = projection;
    const checkpoint = checkpoints.find((one) => one.name === name && one.version === version);
    if (!checkpoint) {
      options.findings.add('projections', null, `projection ${name} was never built`);
      continue;
    }
    if (checkpoint.status === 'stopped') {
      const at = checkpoint.position + 1;
      options.findings.add(
        'projections',
        at,
        `projection ${name} stopped here: ${checkpoint.error ?? 'no reason'}`,
      );
    }
    const total = checkpoint.position;
    const step = `projection ${name}`;
    const result = await replayAndCompare(options.pool, projection, {
      onProgress: (done) => options.onProgress({ step, done, total }),
    });
    compared += result.rows;
    const difference = result.firstDifference;
    if (difference) {
      const { table, live, replayed } = difference;
      const text = `${table} at #${result.position} has ${live ?? 'no row'}; a replay gives ${replayed ?? 'no row'}`;
      options.findings.add('projections', null, text);
    }
  }
  return compared;
}
