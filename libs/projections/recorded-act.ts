import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import type {
  ReadModelCommand,
  ReadModelOperation,
  ReadModelStatus,
} from '@reelbook/ledger/operators/read-model-acts';
import type pg from 'pg';
import { followerOf } from './beside.ts';
import type { Projection } from './projection.ts';
import {
  discardBeside,
  goBack,
  type Rebuilding,
  type Rebuilt,
  rebuildTogether,
} from './rebuild.ts';

export interface RecordedAct {
  readonly pool: pg.Pool;
  readonly projection: Projection;
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
 * The work between two events: nothing is done that the book does not say was begun, and what became of it follows. A
 * process that dies leaves the first alone.
 */
export async function recordAct<T>(o: RecordedAct, work: () => Promise<T>): Promise<T> {
  const { pool, projection, act, job, reason } = o;
  const told = { readModel: projection.name, operation: act, job };
  const statusBefore = await readStatus(pool, projection);
  await o.append({ type: 'StartReadModelOperation', ...told, reason, statusBefore });
  const end = async (outcome: 'done' | 'failed' | 'cancelled', why: string | null) => {
    const statusAfter = await readStatus(pool, projection);
    const said = { outcome, error: why, statusBefore, statusAfter };
    await o.append({ type: 'FinishReadModelOperation', ...told, ...said });
  };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await end(o.wasCancelled(error) ? 'cancelled' : 'failed', why);
    throw error;
  }
  await end('done', null);
  return result;
}

/** Work on what is kept next to the live read model; `continue` lets the live one go on. */
export type RebuildAct = Exclude<ReadModelOperation, 'continue'>;

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
    readonly act: RebuildAct;
  },
): Promise<readonly CarriedOut[]> {
  const { act, projections, ...todo } = o;
  if (act === 'rebuild' || act === 'switch') {
    const all = await rebuildTogether(pool, { ...todo, projections, switch: act === 'switch' });
    return all.map((rebuilt) => ({ rebuilt, name: rebuilt.name, dropped: [] }));
  }
  const done: CarriedOut[] = [];
  for (const projection of projections) {
    const { name } = projection;
    const one = { ...todo, projection };
    if (act === 'back') done.push({ name, rebuilt: await goBack(pool, one), dropped: [] });
    else done.push({ name, rebuilt: null, dropped: await discardBeside(pool, one) });
  }
  return done;
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
