import { randomUUID } from 'node:crypto';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { Refused } from '@reelbook/http/refused';
import { Cancelled, type Work } from '@reelbook/inspection/job-runner';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type {
  ReadModelAct,
  ReadModelCommand,
  Standings,
} from '@reelbook/ledger/operators/read-model-acts';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { followerOf } from '@reelbook/projections/beside';
import type { Projection } from '@reelbook/projections/projection';
import type pg from 'pg';
import { type Admin, actorOf, type Caller } from './context.ts';

/** Of the ends of acts: nobody presses for them. */
const CONSOLE = 'system:console';

export interface Acting extends Pick<Caller, 'operator' | 'correlation'> {
  readonly act: ReadModelAct;
  readonly projection: Projection;
  readonly reason: string;
}

/**
 * The work between two events: nothing is done that the book does not say was begun, and what became of it follows. A
 * process that dies leaves the first alone.
 */
export function recorded(admin: Admin, acting: Acting, work: Work): Work {
  const { act, projection, reason, correlation } = acting;
  return async (o) => {
    const told = { readModel: projection.name, act, job: o.job.id };
    const standingBefore = await readStandings(admin.pool, projection);
    const begin = { type: 'BeginReadModelAct', ...told, reason, standingBefore } as const;
    await append(admin, begin, { actor: actorOf(acting), correlation });
    const end = async (outcome: 'done' | 'failed' | 'cancelled', why: string | null) => {
      const standingAfter = await readStandings(admin.pool, projection);
      const said = { outcome, why, standingBefore, standingAfter };
      const command = { type: 'EndReadModelAct', ...told, ...said } as const;
      await append(admin, command, { actor: CONSOLE, correlation });
    };
    let result: unknown;
    try {
      result = await work(o);
    } catch (error) {
      const wasCancelled = o.signal.aborted || error instanceof Cancelled;
      await end(wasCancelled ? 'cancelled' : 'failed', messageOf(error));
      throw error;
    }
    await end('done', null);
    return result;
  };
}

/** That an operator wants it stopped; it is asked to afterwards. */
export async function recordCancel(
  admin: Admin,
  caller: Pick<Caller, 'operator' | 'correlation'>,
  o: { readonly readModel: string; readonly act: ReadModelAct; job: number; reason: string },
): Promise<void> {
  const { correlation } = caller;
  await append(
    admin,
    { type: 'CancelReadModelAct', ...o },
    { actor: actorOf(caller), correlation },
  );
}

async function append(
  { spine }: Admin,
  command: ReadModelCommand,
  meta: { readonly actor: string; readonly correlation: string },
): Promise<void> {
  const executed = await spine.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    // The job is what happens once: one of them does it, and its number comes back after a restore.
    claim: `command:${meta.actor}:${randomUUID()}`,
    request: null,
    meta,
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'refused') throw new Refused(executed.rejection);
}

async function readStandings(pool: pg.Pool, projection: Projection): Promise<Standings> {
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
