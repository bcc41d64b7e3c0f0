import { assert } from '../assert.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';

/** What operators do with read models, from the console or a shell. It takes its time, so it is three events. */
export type ReadModelEvent = ReadModelActBegun | ReadModelActCancelled | ReadModelActEnded;

/** `continue` lets one that has stopped go on. */
export type ReadModelAct = 'rebuild' | 'switch' | 'back' | 'discard' | 'continue';

interface Told {
  readonly readModel: string;
  readonly act: ReadModelAct;
  /** The number of the console's job; from a shell, a name that no other act has. */
  readonly job: number | string;
}

/** Where a read model stands, and what stands beside it: positions, null for what there is not. */
export interface Standings {
  readonly live: number | null;
  /** Why it does not go on; null while it does. */
  readonly stopped: string | null;
  readonly rebuilt: number | null;
  readonly replaced: number | null;
}

/** Written before anything is done. One that never ends died with its process: what the next one finds says how far it came. */
export interface ReadModelActBegun {
  readonly type: 'ReadModelActBegun';
  readonly data: Told & { readonly reason: string; readonly standingBefore: Standings };
}

/** Asked for; whether it was in time, its end says. */
export interface ReadModelActCancelled {
  readonly type: 'ReadModelActCancelled';
  readonly data: Told & { readonly reason: string };
}

export interface ReadModelActEnded {
  readonly type: 'ReadModelActEnded';
  readonly data: Told & {
    readonly outcome: 'done' | 'failed' | 'cancelled';
    /** Null for one that was done. */
    readonly why: string | null;
    readonly standingBefore: Standings;
    readonly standingAfter: Standings;
  };
}

export type ReadModelCommand =
  | ({ readonly type: 'BeginReadModelAct' } & ReadModelActBegun['data'])
  | ({ readonly type: 'CancelReadModelAct' } & ReadModelActCancelled['data'])
  | ({ readonly type: 'EndReadModelAct' } & ReadModelActEnded['data']);

/** A random UUID. */
const NAME = /^[0-9a-f-]{36}$/;

/** Who acts from a shell, with the reason that was given there. */
export const SHELL = 'system:rebuild-command';

/** That one runs at a time is for the jobs to see to. */
export function actOnReadModel(command: ReadModelCommand): readonly ReadModelEvent[] | Rejection {
  const { job } = command;
  const isNumber = typeof job === 'number' && Number.isSafeInteger(job) && job > 0;
  assert(isNumber || (typeof job === 'string' && NAME.test(job)), 'a number from 1, or a name');
  if (command.type === 'EndReadModelAct') {
    const { type: _, ...data } = command;
    return [{ type: 'ReadModelActEnded', data }];
  }
  if (!isReason(command.reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  if (command.type === 'BeginReadModelAct') {
    const { type: _, ...data } = command;
    return [{ type: 'ReadModelActBegun', data }];
  }
  const { type: _, ...data } = command;
  return [{ type: 'ReadModelActCancelled', data }];
}
