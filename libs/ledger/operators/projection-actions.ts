import { assert } from '../assert.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';

/** What operators do with read models, from the console or a shell. It takes its time, so it is three events. */
export type ReadModelEvent =
  | ReadModelOperationStarted
  | ReadModelOperationCancelled
  | ReadModelOperationFinished;

/** `continue` lets one that has stopped go on. */
export type ReadModelOperation = 'rebuild' | 'switch' | 'back' | 'discard' | 'continue';

interface Target {
  readonly readModel: string;
  readonly operation: ReadModelOperation;
  /** The number of the console's job; from a shell, a name that no other act has. */
  readonly job: number | string;
}

/** Where a read model stands, and what stands beside it: positions, null for what there is not. */
export interface ReadModelStatus {
  readonly live: number | null;
  /** Why it does not go on; null while it does. */
  readonly stopped: string | null;
  readonly rebuilt: number | null;
  readonly replaced: number | null;
}

/** Written before anything is done. One that never ends died with its process: what the next one finds says how far it came. */
export interface ReadModelOperationStarted {
  readonly type: 'ReadModelOperationStarted';
  readonly data: Target & { readonly reason: string; readonly statusBefore: ReadModelStatus };
}

/** Asked for; whether it was in time, its end says. */
export interface ReadModelOperationCancelled {
  readonly type: 'ReadModelOperationCancelled';
  readonly data: Target & { readonly reason: string };
}

export interface ReadModelOperationFinished {
  readonly type: 'ReadModelOperationFinished';
  readonly data: Target & {
    readonly outcome: 'done' | 'failed' | 'cancelled';
    /** Null for one that was done. */
    readonly error: string | null;
    readonly statusBefore: ReadModelStatus;
    readonly statusAfter: ReadModelStatus;
  };
}

export type ReadModelCommand =
  | ({ readonly type: 'StartReadModelOperation' } & ReadModelOperationStarted['data'])
  | ({ readonly type: 'CancelReadModelOperation' } & ReadModelOperationCancelled['data'])
  | ({ readonly type: 'FinishReadModelOperation' } & ReadModelOperationFinished['data']);

/** A random UUID. */
const NAME = /^[0-9a-f-]{36}$/;

/** Who acts from a shell, with the reason that was given there. */
export const SHELL = 'system:rebuild-command';

/** That one runs at a time is for the jobs to see to. */
export function actOnReadModel(command: ReadModelCommand): readonly ReadModelEvent[] | Rejection {
  const { job } = command;
  const isNumber = typeof job === 'number' && Number.isSafeInteger(job) && job > 0;
  assert(isNumber || (typeof job === 'string' && NAME.test(job)), 'a number from 1, or a name');
  if (command.type === 'FinishReadModelOperation') {
    const { type: _, ...data } = command;
    return [{ type: 'ReadModelOperationFinished', data }];
  }
  if (!isReason(command.reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  if (command.type === 'StartReadModelOperation') {
    const { type: _, ...data } = command;
    return [{ type: 'ReadModelOperationStarted', data }];
  }
  const { type: _, ...data } = command;
  return [{ type: 'ReadModelOperationCancelled', data }];
}
