import { randomUUID } from 'node:crypto';
import { Refused } from '@reelbook/http/refused';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type {
  ReadModelCommand,
  ReadModelOperation,
} from '@reelbook/ledger/operators/projection-actions';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type { Projection } from '@reelbook/projections/projection';
import { recordActions } from '@reelbook/projections/recorded-action';
import { type Admin, actorOf, type Caller } from './context.ts';
import { Cancelled, type Work } from './jobs/job-runner.ts';

/** Actor of the events that end an operation. */
const CONSOLE = 'system:console';

export interface Acting extends Pick<Caller, 'operator' | 'correlation'> {
  readonly act: ReadModelOperation;
  readonly projection: Projection;
  readonly reason: string;
}

/** Wraps the work of a job, so that the ledger records it as the operator's action. */
export function recorded(admin: Admin, acting: Acting, work: Work): Work {
  const { act, projection, reason } = acting;
  const append = (command: ReadModelCommand) => {
    const actor = command.type === 'FinishReadModelOperation' ? CONSOLE : actorOf(acting);
    return write(admin, command, { actor, correlation: acting.correlation });
  };
  return (run) => {
    const wasCancelled = (error: unknown) => run.signal.aborted || error instanceof Cancelled;
    const projections = [projection];
    const acts = { pool: admin.pool, projections, act, job: run.job, reason, append, wasCancelled };
    return recordActions(acts, () => work(run));
  };
}

async function write(
  { executor }: Admin,
  command: ReadModelCommand,
  meta: { readonly actor: string; readonly correlation: string },
): Promise<void> {
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    // A random key: the job itself is unique, and its number may be used again after a restore.
    idempotencyKey: `command:${meta.actor}:${randomUUID()}`,
    request: null,
    meta,
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'refused') throw new Refused(executed.rejection);
}
