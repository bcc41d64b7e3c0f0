import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { Meta, PlacedEvent } from '@reelbook/ledger/events';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import type { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { AppendCommand, AppendResult } from './append.ts';
import type { Batcher } from './batcher.ts';
import { isUnavailable } from './db.ts';
import type { Executed, Execution } from './execution.ts';
import { findIdempotencyKey } from './idempotency-key.ts';
import { readCommand } from './read-log.ts';
import type { CurrentState, StateLoader } from './read-stream.ts';

/** A command whose caller waits. */
export interface Pending {
  readonly execution: Execution<unknown, unknown, LedgerEvent>;
  /** In hex, as `AppendCommand` has them. */
  readonly idempotencyKey: string;
  readonly requestHash: string;
  /** By the clock of this process. */
  readonly askedAtMs: number;
  attempts: number;
  /** Whether the caller has its answer. */
  readonly answered: boolean;
  resolve(executed: Executed<unknown, LedgerEvent>): void;
  reject(error: unknown): void;
}

export interface ExecutorContext {
  readonly pool: pg.Pool;
  readonly batcher: Batcher;
  readonly states: LRUCache<string, CurrentState<unknown>>;
  readonly loadState: StateLoader;
  onAppended(position: number): void;
  onStaleConfig(): Promise<void>;
}

/** A command of the group with what was decided for it. */
export type Decision =
  | {
      readonly kind: 'append';
      readonly pending: Pending;
      readonly events: readonly LedgerEvent[];
      readonly meta: Meta;
      readonly command: AppendCommand;
      readonly state: unknown;
    }
  | { readonly kind: 'refuse'; readonly pending: Pending; readonly rejection: Rejection }
  | { readonly kind: 'nothing'; readonly pending: Pending; readonly state: unknown };

/** What is left to do of a group: commands to decide again, and the error if the database was away. */
export interface Unanswered {
  readonly again: readonly Pending[];
  readonly away: Error | null;
}

/** Answers the callers of a group by what the append said of each command. */
export async function answerAll(
  context: ExecutorContext,
  stream: string,
  group: {
    readonly current: CurrentState<unknown>;
    readonly decisions: readonly Decision[];
    readonly results: readonly (AppendResult | Error)[];
  },
): Promise<Unanswered> {
  const again: Pending[] = [];
  let { state, version } = group.current;
  let at = 0;
  let intact = true; // every command so far was appended on the state it was decided on
  // The first append held at the version that the group was decided on: so were all states up to the first failure.
  const proven = isAppended(group.results[0]);
  let stale = false;
  let away: Error | null = null;
  for (const decision of group.decisions) {
    const { pending } = decision;
    if (decision.kind !== 'append') {
      const answered = intact && (await answerUnwritten(context, decision, { version, proven }));
      if (!answered) {
        intact = false;
        again.push(pending);
      }
      continue;
    }
    const result = group.results[at++];
    assert(result, 'every append is answered');
    if (isAppended(result)) {
      ({ version } = result);
      state = decision.state;
      context.onAppended(result.position + decision.events.length - 1);
      pending.resolve(placed(decision, result));
      continue;
    }
    intact = false;
    if (result instanceof Error) {
      if (isUnavailable(result)) {
        away = result;
        again.push(pending);
      } else pending.reject(result);
    } else if (result.status === 'duplicate-key') {
      await answerDuplicate(context, pending, result.position);
    } else if (result.status === 'over-cover') {
      pending.resolve({ kind: 'refused', rejection: reject('over-cover') });
    } else {
      stale ||= result.status === 'stale-config';
      again.push(pending);
    }
  }
  if (intact) context.states.set(stream, { state, version });
  else context.states.delete(stream);
  if (stale) await context.onStaleConfig();
  return { again, away };
}

function isAppended(
  result: AppendResult | Error | undefined,
): result is Extract<AppendResult, { status: 'appended' }> {
  return result !== undefined && !(result instanceof Error) && result.status === 'appended';
}

/**
 * Answers a command that writes nothing, if the state it was decided on was the stream's: proven by an append of its
 * own group, or the current state is still there. False: decide it again.
 */
async function answerUnwritten(
  context: ExecutorContext,
  decision: Exclude<Decision, { kind: 'append' }>,
  { version, proven }: { readonly version: number; readonly proven: boolean },
): Promise<boolean> {
  const { pending } = decision;
  const { decider, stream } = pending.execution;
  const used = await findIdempotencyKey(context.pool, pending.idempotencyKey);
  if (used) {
    await answerDuplicate(context, pending, used.position);
    return true;
  }
  if (!proven) {
    const now = await context.loadState(decider as never, stream);
    if (now.version !== version) return false;
  }
  if (decision.kind === 'refuse') {
    pending.resolve({ kind: 'refused', rejection: decision.rejection });
  } else {
    const { state } = decision;
    pending.resolve({ kind: 'done', events: [], state, version, position: 0, replayed: false });
  }
  return true;
}

/** The idempotency key is taken: the first result again for the same request, a refusal for another. */
async function answerDuplicate(
  context: ExecutorContext,
  pending: Pending,
  position: number,
): Promise<void> {
  const used = await findIdempotencyKey(context.pool, pending.idempotencyKey);
  assert(used && used.position === position, 'a used key keeps its position');
  if (used.requestHash !== pending.requestHash) {
    pending.resolve({ kind: 'key-reused' });
    return;
  }
  const events = await readCommand<LedgerEvent>(context.pool, position);
  const last = events.at(-1);
  assert(last, 'a command has an event');
  pending.resolve({
    kind: 'done',
    events,
    state: null,
    version: last.version,
    position: last.position,
    replayed: true,
  });
}

function placed(
  decision: Extract<Decision, { kind: 'append' }>,
  result: Extract<AppendResult, { status: 'appended' }>,
): Executed<unknown, LedgerEvent> {
  const { events, meta, state, command } = decision;
  const list: PlacedEvent<LedgerEvent>[] = events.map((event, index) => ({
    position: result.position + index,
    firstPosition: result.position,
    stream: command.stream,
    version: result.version - events.length + 1 + index,
    time: result.time,
    event,
    meta,
  }));
  const position = result.position + events.length - 1;
  return { kind: 'done', events: list, state, version: result.version, position, replayed: false };
}

export function metaOf(pending: Pending): Meta {
  return { command: pending.idempotencyKey, ...pending.execution.meta };
}
