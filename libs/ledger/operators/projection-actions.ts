import { assert } from '../assert.ts';
import type { EventOf } from '../descriptor.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';

/** Actions of operators on read models, from the console or a shell. They take time, so each has up to three events. */
export interface ReadModelData {
  /** Appended before anything is done. Without an end, its process died; the next action records the positions that it finds. */
  readonly ReadModelOperationStarted: Target & {
    readonly reason: string;
    readonly statusBefore: ReadModelStatus;
  };
  /** A request to cancel; the end of the action shows whether it came in time. */
  readonly ReadModelOperationCancelled: Target & { readonly reason: string };
  readonly ReadModelOperationFinished: Target & {
    readonly outcome: 'done' | 'failed' | 'cancelled';
    /** Null for an action that was done. */
    readonly error: string | null;
    readonly statusBefore: ReadModelStatus;
    readonly statusAfter: ReadModelStatus;
    /** Of a rebuild or switch whose comparison found differences. They are evidence, and the tables may be dropped. */
    readonly different?: DifferentRows;
  };
}

export type ReadModelEvent = EventOf<ReadModelData>;
export type ReadModelOperationStarted = EventOf<ReadModelData, 'ReadModelOperationStarted'>;
export type ReadModelOperationFinished = EventOf<ReadModelData, 'ReadModelOperationFinished'>;

/** `continue` resumes a stopped one. */
export type ReadModelOperation = 'rebuild' | 'switch' | 'back' | 'discard' | 'continue';

interface Target {
  readonly readModel: string;
  readonly operation: ReadModelOperation;
  /** The number of the console's job; from a shell, a unique name. */
  readonly job: number | string;
}

/** The positions of a read model and of its parallel table; null for a missing one. */
export interface ReadModelStatus {
  readonly live: number | null;
  /** Why it has stopped; null while it runs. */
  readonly stopped: string | null;
  readonly rebuilt: number | null;
  readonly replaced: number | null;
}

/** Rows of one table that differ between the live read model and the replay: the first ones, and a digest of more. */
export interface DifferentRows {
  readonly table: string;
  /** Where both were compared. */
  readonly position: number;
  /** At most the bound of the comparison, in both tables together. */
  readonly count: number;
  /** SHA-256, hex, of these rows, `live` before `replayed`, in the order of their text, one a line. */
  readonly digest: string;
  readonly live: readonly string[];
  readonly replayed: readonly string[];
}

export type ReadModelCommand =
  | ({ readonly type: 'StartReadModelOperation' } & ReadModelData['ReadModelOperationStarted'])
  | ({ readonly type: 'CancelReadModelOperation' } & ReadModelData['ReadModelOperationCancelled'])
  | ({ readonly type: 'FinishReadModelOperation' } & ReadModelData['ReadModelOperationFinished']);

/** A random UUID. */
const NAME = /^[0-9a-f-]{36}$/;

/** The actor of a shell and the reason that was given there. */
export const SHELL = 'system:rebuild-command';

/** The jobs ensure that one runs at a time. */
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
