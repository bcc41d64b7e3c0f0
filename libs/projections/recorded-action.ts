import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { assert } from '@reelbook/ledger/assert';
import type {
  DifferentRows,
  ReadModelCommand,
  ReadModelOperation,
  ReadModelStatus,
} from '@reelbook/ledger/operators/projection-actions';
import { toPlainText } from '@reelbook/ledger/text';
import type pg from 'pg';
import type { Projection } from './projection.ts';
import type { Rebuilt } from './rebuild.ts';

export interface RecordedActions {
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly act: ReadModelOperation;
  /** The number of the console's job; a unique name for a shell. */
  readonly job: number | string;
  readonly reason: string;
  /** Appends to the stream of operators; throws when it cannot. */
  append(command: ReadModelCommand): Promise<void>;
  /** Whether this error means that an operator cancelled the work. */
  wasCancelled(error: unknown): boolean;
}

/**
 * Brackets work on projections with two events each: nothing is done before the ledger has its start, and its outcome
 * follows. `onDone` records the outcome of one projection while the work on the others continues: a later failure does not
 * change it. A process that dies leaves only the first events.
 */
export async function recordActions<T>(
  options: RecordedActions,
  work: (onDone: (one: Rebuilt) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { pool, act: operation, job, reason } = options;
  const begun = new Map<Projection, ReadModelStatus>();
  const done = new Set<Projection>();
  const end = async (
    projection: Projection,
    outcome: 'done' | 'failed' | 'cancelled',
    error: string | null,
    different?: DifferentRows,
  ) => {
    const statusBefore = begun.get(projection);
    assert(statusBefore, 'a finished operation was started');
    const statusAfter = await readStatus(pool, projection);
    const ended = {
      readModel: projection.name,
      operation,
      job,
      outcome,
      error,
      ...(different && { different }),
    };
    await options.append({ type: 'FinishReadModelOperation', ...ended, statusBefore, statusAfter });
    begun.delete(projection);
  };
  try {
    for (const projection of options.projections) {
      const statusBefore = await readStatus(pool, projection);
      const begins = { readModel: projection.name, operation, job, reason, statusBefore };
      await options.append({ type: 'StartReadModelOperation', ...begins });
      begun.set(projection, statusBefore);
    }
    const result = await work(async ({ name, comparison }) => {
      const projection = options.projections.find((one) => one.name === name);
      assert(projection, 'a finished operation was requested');
      done.add(projection);
      await end(projection, 'done', null, comparison?.different);
    });
    for (const projection of begun.keys()) done.add(projection);
    for (const projection of [...begun.keys()]) await end(projection, 'done', null);
    return result;
  } catch (error) {
    const why = toPlainText(error instanceof Error ? error.message : String(error));
    const outcome = options.wasCancelled(error) ? 'cancelled' : 'failed';
    for (const projection of [...begun.keys()]) {
      await (done.has(projection) ? end(projection, 'done', null) : end(projection, outcome, why));
    }
    throw error;
  }
}

async function readStatus(pool: pg.Pool, projection: Projection): Promise<ReadModelStatus> {
  const checkpoints = await readCheckpoints(pool);
  const { name, version } = projection;
  const live = checkpoints.find((one) => one.name === name && one.version === version);
  return {
    live: live?.position ?? null,
    stopped: live?.error ? toPlainText(live.error) : null,
    // Only builds before this one kept copies.
    rebuilt: null,
    replaced: null,
  };
}
