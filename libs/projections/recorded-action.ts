import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { assert } from '@reelbook/ledger/assert';
import type {
  DifferentRows,
  ReadModelCommand,
  ReadModelOperation,
  ReadModelStatus,
} from '@reelbook/ledger/operators/projection-actions';
import type pg from 'pg';
import { CannotRebuild, followerOf } from './parallel.ts';
import type { Projection } from './projection.ts';
import {
  assertReplaced,
  discardParallel,
  goBack,
  type Rebuilding,
  type Rebuilt,
  rebuildTogether,
} from './rebuild.ts';

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
  work: (onDone: (one: CarriedOut) => Promise<void>) => Promise<T>,
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
      ...{ readModel: projection.name, operation, job, outcome, error },
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
    const result = await work(async ({ name, rebuilt }) => {
      const projection = options.projections.find((one) => one.name === name);
      assert(projection, 'a finished operation was requested');
      done.add(projection);
      await end(projection, 'done', null, rebuilt?.comparison?.different);
    });
    for (const projection of begun.keys()) done.add(projection);
    for (const projection of [...begun.keys()]) await end(projection, 'done', null);
    return result;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const outcome = options.wasCancelled(error) ? 'cancelled' : 'failed';
    for (const projection of [...begun.keys()]) {
      await (done.has(projection) ? end(projection, 'done', null) : end(projection, outcome, why));
    }
    throw error;
  }
}

/** Work on the parallel copies of a projection; `continue` resumes the live one. */
export type RebuildAction = Exclude<ReadModelOperation, 'continue'>;

/** The outcome for one projection: it was rebuilt, or which of the two copies were dropped. */
export interface CarriedOut {
  readonly name: string;
  readonly rebuilt: Rebuilt | null;
  readonly dropped: readonly string[];
}

/** The work itself, on one or several, which are rebuilt in one read of the ledger. */
export async function carryOut(
  pool: pg.Pool,
  options: Omit<Rebuilding, 'projection'> & {
    readonly projections: readonly Projection[];
    readonly act: RebuildAction;
    /** Called for each as soon as it is done; an error ends the work. */
    onDone?(one: CarriedOut): Promise<void>;
  },
): Promise<readonly CarriedOut[]> {
  const { act, projections, onDone, ...todo } = options;
  const all: CarriedOut[] = [];
  const add = async (one: CarriedOut) => {
    all.push(one);
    await onDone?.(one);
  };
  if (act === 'rebuild' || act === 'switch') {
    await rebuildTogether(pool, {
      ...{ ...todo, projections, switch: act === 'switch' },
      onRebuilt: (rebuilt) => add({ name: rebuilt.name, rebuilt, dropped: [] }),
    });
    return all;
  }
  // Before the first: going back a second time would undo it.
  if (act === 'back') for (const one of projections) await assertReplaced(pool, one);
  for (const projection of projections) {
    const { name } = projection;
    const one = { ...todo, projection };
    if (act === 'discard')
      await add({ name, rebuilt: null, dropped: await discardParallel(pool, one) });
    else await add({ name, rebuilt: await goBack(pool, one).catch(explainBack), dropped: [] });
  }
  return all;

  function explainBack(error: unknown): never {
    if (all.length === 0) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const names = all.map(({ name }) => name).join(', ');
    throw new CannotRebuild(
      `${why}. Already back: ${names}. Going back again would undo that, so name the others separately`,
      { cause: error },
    );
  }
}

async function readStatus(pool: pg.Pool, projection: Projection): Promise<ReadModelStatus> {
  const checkpoints = await readCheckpoints(pool);
  const find = ({ name, version }: Pick<Projection, 'name' | 'version'>) =>
    checkpoints.find((one) => one.name === name && one.version === version) ?? null;
  const live = find(projection);
  return {
    live: live?.position ?? null,
    stopped: live?.error ?? null,
    rebuilt: find(followerOf(projection, 'rebuilt'))?.position ?? null,
    replaced: find(followerOf(projection, 'replaced'))?.position ?? null,
  };
}
