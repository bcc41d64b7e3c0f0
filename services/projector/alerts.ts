import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { isParallel } from '@reelbook/projections/parallel';
import type { Condition } from '@reelbook/runtime/alerts/condition';
import type pg from 'pg';

/** Projections that an event has stopped, in any process. */
export const stoppedProjections = (pool: pg.Pool): Condition => ({
  name: 'projection-stopped',
  async find() {
    const checkpoints = await readCheckpoints(pool);
    return checkpoints
      .filter((one) => one.status === 'stopped' && !isParallel(one))
      .map(({ name, version, error, position, updatedAt }) => ({
        subject: `${name} v${version}`,
        since: updatedAt,
        text: `the projection ${name} is stopped: ${error}`,
        facts: { position },
      }));
  },
});
