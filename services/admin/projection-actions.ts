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

/** Of the ends of acts: nobody presses for them. */
const CONSOLE = 'system:console';

export interface Acting extends Pick<Caller, 'operator' | 'correlation'> {
  readonly act: ReadModelOperation;
  readonly projection: Projection;
  readonly reason: string;
}

/** The work of a job, recorded in the ledger as the operator's. */
export function recorded(admin: Admin, acting: Acting, work: Work): Work {
  const { act, projection, reason } = acting;
  const append = (command: ReadModelCommand) => {
    const actor = command.type === 'FinishReadModelOperation' ? CONSOLE : actorOf(acting);
    return write(admin, command, { actor, correlation: acting.correlation });
  };
  return (o) => {
    const wasCancelled = (error: unknown) => o.signal.aborted || error instanceof Cancelled;
    const projections = [projection];
    const acts = { pool: admin.pool, projections, act, job: o.job, reason, append, wasCancelled };
    return recordActions(acts, () => work(o));
  };
}

/** That an operator wants it stopped; it is asked to afterwards. */
export async function recordCancel(
  admin: Admin,
  caller: Pick<Caller, 'operator' | 'correlation'>,
  o: Omit<Extract<ReadModelCommand, { type: 'CancelReadModelOperation' }>, 'type'>,
): Promise<void> {
  const meta = { actor: actorOf(caller), correlation: caller.correlation };
  await write(admin, { type: 'CancelReadModelOperation', ...o }, meta);
}

async function write(
  { executor }: Admin,
  command: ReadModelCommand,
  meta: { readonly actor: string; readonly correlation: string },
): Promise<void> {
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    // The job is what happens once: one of them does it, and its number comes back after a restore.
    idempotencyKey: `command:${meta.actor}:${randomUUID()}`,
    request: null,
    meta,
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'refused') throw new Refused(executed.rejection);
}
