import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { assert } from '@reelbook/ledger/assert';
import type {
  ReadModelCommand,
  ReadModelOperation,
  ReadModelStatus,
} from '@reelbook/ledger/operators/projection-actions';
import type pg from 'pg';
import { CannotRebuild, followerOf } from './parallel.ts';
import type { Projection } from './projection.ts';
import {
  assertReplaced,
  discardBeside,
  goBack,
  type Rebuilding,
  type Rebuilt,
  rebuildTogether,
} from './rebuild.ts';

export interface RecordedActions {
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly act: ReadModelOperation;
  /** The number of the console's job; a name of its own where a shell does it. */
  readonly job: number | string;
  readonly reason: string;
  /** Into the stream of operators; throws what keeps it from being written. */
  append(command: ReadModelCommand): Promise<void>;
  /** Whether the work ended with this because somebody wanted it to. */
  wasCancelled(error: unknown): boolean;
}

/**
 * The work between two events of each read model: nothing is done that the ledger does not have as begun, and what became of it
 * follows. `onDone` records the end of one while the work on the others goes on: what fails later does not change it. A process
 * that dies leaves the first events alone.
 */
export async function recordActions<T>(
  o: RecordedActions,
  work: (onDone: (name: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { pool, act: operation, job, reason } = o;
  const begun = new Map<Projection, ReadModelStatus>();
  const done = new Set<Projection>();
  const end = async (
    projection: Projection,
    outcome: 'done' | 'failed' | 'cancelled',
    error: string | null,
  ) => {
    const statusBefore = begun.get(projection);
    assert(statusBefore, 'what ends was begun');
    const statusAfter = await readStatus(pool, projection);
    const ended = { readModel: projection.name, operation, job, outcome, error };
    await o.append({ type: 'FinishReadModelOperation', ...ended, statusBefore, statusAfter });
    begun.delete(projection);
  };
  try {
    for (const projection of o.projections) {
      const statusBefore = await readStatus(pool, projection);
      const begins = { readModel: projection.name, operation, job, reason, statusBefore };
      await o.append({ type: 'StartReadModelOperation', ...begins });
      begun.set(projection, statusBefore);
    }
    const result = await work(async (name) => {
      const projection = o.projections.find((one) => one.name === name);
      assert(projection, 'what is done was asked for');
      done.add(projection);
      await end(projection, 'done', null);
    });
    for (const projection of begun.keys()) done.add(projection);
    for (const projection of [...begun.keys()]) await end(projection, 'done', null);
    return result;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const outcome = o.wasCancelled(error) ? 'cancelled' : 'failed';
    for (const projection of [...begun.keys()]) {
      await (done.has(projection) ? end(projection, 'done', null) : end(projection, outcome, why));
    }
    throw error;
  }
}

/** Work on what is kept next to the live read model; `continue` lets the live one go on. */
export type RebuildAction = Exclude<ReadModelOperation, 'continue'>;

/** What became of one: it was rebuilt, or which of the two kept next to the live one were dropped. */
export interface CarriedOut {
  readonly name: string;
  readonly rebuilt: Rebuilt | null;
  readonly dropped: readonly string[];
}

/** The work itself, on one or several, which are rebuilt in one reading of the ledger. */
export async function carryOut(
  pool: pg.Pool,
  o: Omit<Rebuilding, 'projection'> & {
    readonly projections: readonly Projection[];
    readonly act: RebuildAction;
    /** Called for each as soon as it is done; what it throws ends the work. */
    onDone?(one: CarriedOut): Promise<void>;
  },
): Promise<readonly CarriedOut[]> {
  const { act, projections, onDone, ...todo } = o;
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
  // Before the first: to go back a second time would undo what was done of them.
  if (act === 'back') for (const one of projections) await assertReplaced(pool, one);
  for (const projection of projections) {
    const { name } = projection;
    const one = { ...todo, projection };
    if (act === 'discard')
      await add({ name, rebuilt: null, dropped: await discardBeside(pool, one) });
    else await add({ name, rebuilt: await goBack(pool, one).catch(explainBack), dropped: [] });
  }
  return all;

  function explainBack(error: unknown): never {
    if (all.length === 0) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const names = all.map(({ name }) => name).join(', ');
    throw new CannotRebuild(
      `${why}. Before that ${names} went back; to go back again would undo it, so name each of the others by itself`,
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
