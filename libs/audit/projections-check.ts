import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { replayAndCompare } from '@reelbook/projections/compare';
import type { Projection } from '@reelbook/projections/projection';
import { isPoison } from '@reelbook/projections/rebuild';
import { LIVE_SCHEMA } from '@reelbook/projections/run';
import type pg from 'pg';
import { type Findings, NO_MONEY, type Progress } from './findings.ts';
import { describeDifference } from './row-difference.ts';

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
      options.findings.add('projections', null, `projection ${name} was never built`, NO_MONEY);
      continue;
    }
    if (checkpoint.status === 'stopped') {
      const at = checkpoint.position + 1;
      options.findings.add(
        'projections',
        at,
        `projection ${name} stopped here: ${checkpoint.error ?? 'no reason'}`,
        NO_MONEY,
      );
    }
    const total = checkpoint.position;
    const step = `projection ${name}`;
    options.onProgress({ step, done: 0, total });
    try {
      const result = await replayAndCompare(options.pool, projection, {
        onProgress: (done) => options.onProgress({ step, done, total }),
      });
      compared += result.rows;
      const difference = result.firstDifference;
      if (!difference) continue;
      const columns = await readColumns(options.pool, difference.table);
      const text = `${difference.table} at #${result.position}: ${describeDifference(difference, columns)}`;
      options.findings.add('projections', null, text);
    } catch (error) {
      // A table that is missing, or an event: the other projections are compared.
      if (!isPoison(error)) throw error;
      options.findings.add('projections', null, `${name} cannot be compared: ${String(error)}`);
    }
  }
  return compared;
}

async function readColumns(pool: pg.Pool, table: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ column: string }>(
    `select attname as column from pg_attribute
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [`${LIVE_SCHEMA}.${table}`],
  );
  return rows.map(({ column }) => column);
}
