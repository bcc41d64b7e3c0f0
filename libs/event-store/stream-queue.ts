/**
 * A stream queue holds the commands of one stream. Its states repeat until it is empty:
 *
 *   gather    up to 64 commands leave the queue as one group; one that reads the       runQueue
 *             stream is the first of its group
 *   load      the stream's current state, from memory or from its row                  runGroup
 *   decide    each command on the state after the previous one; nothing is written     decideAll, decideOne
 *   append    the group is sent as a part of one batch (append.ts)                     runGroup
 *   answer    each caller gets the result of its command                               answerAll
 *   retry     commands without a result go to the front of the queue, after a pause    retry
 *
 * The next group forms only after the batch has results: nothing is decided on a batch whose result is open. So a hundred
 * parallel spins of one player cost a few commits.
 *
 * Outcome of a command, and what its caller gets:
 *   appended         its events; the current state advances
 *   duplicate-key    the first result again, from the ledger
 *   conflict, stale  nothing yet: the cached state is dropped, and the command is decided again (limited, jittered); the
 *                    stream is reserved for it first, with `reserves`
 *   over-cover       a refusal
 *   clock-skew       retried once, because a suspended process or Postgres looks the same; then `ClockSkew` is thrown
 *   an error         the database was away (retried, limited) or did not accept this command (thrown)
 * A refusal counts only if its state was the stream's: one decided on a stale state, or after a command that was not
 * appended, is decided again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@reelbook/ledger/assert';
import { encode, tailsOf } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { AnyEvent, Meta, PlacedEvent } from '@reelbook/ledger/events';
import { checkMoney, marginDeltaMinor, takesCover } from '@reelbook/ledger/invariants';
import type { Balances } from '@reelbook/ledger/player/balances';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { parseStream } from '@reelbook/ledger/streams';
import type { LRUCache } from 'lru-cache';
import type pg from 'pg';
import {
  type AppendCommand,
  type AppendResult,
  type Batcher,
  EVENTS_PER_COMMAND_MAX,
  Overloaded,
} from './append.ts';
import { ClockSkew } from './clock.ts';
import { isUnavailable } from './db.ts';
import {
  type Executed,
  type Execution,
  findIdempotencyKey,
  type Prepared,
  streamKey,
} from './execution.ts';
import { readCommand } from './read-log.ts';
import type { CurrentState, StateLoader } from './read-stream.ts';

/** Commands of one stream that are decided on each other before the first is written. */
const GROUP_MAX = 64;
/** Attempts per command against conflicts with other processes, and against a database that is away. */
const ATTEMPTS_MAX = 24;
const ATTEMPTS_AWAY_MAX = 6;
/** No caller waits longer for a database that is away: one attempt may itself last until a timeout. */
const WAIT_AWAY_MAX_MS = 5_000;
/** The pause between attempts grows and is jittered, so that the loser of one race wins a later one. */
const PAUSE_MAX_MS = 60;
const PAUSE_AWAY_MS = 40;
/** More than an attempt takes. Longest wait of other commands after this process ended; the maximum of `reserve_stream`. */
const RESERVED_S = 10;

export interface StreamQueue {
  readonly stream: string;
  readonly pending: Pending[];
}

/** A command whose caller waits for its result. */
export interface Pending {
  readonly execution: Execution<unknown, unknown, LedgerEvent>;
  /** In hex, as `AppendCommand` has them. */
  readonly idempotencyKey: string;
  readonly requestHash: string;
  /** By the clock of this process. */
  readonly askedAtMs: number;
  attempts: number;
  /** Whether the caller has its result. */
  readonly hasResult: boolean;
  resolve(executed: Executed<unknown, LedgerEvent>): void;
  reject(error: unknown): void;
}

export interface ExecutorContext {
  readonly pool: pg.Pool;
  readonly batcher: Batcher;
  /** Null: each group loads the state. */
  readonly states: LRUCache<string, CurrentState<unknown>> | null;
  readonly loadState: StateLoader;
  /** Whether a command that lost a race has the stream to itself until it has its result. */
  readonly reserves: boolean;
  onAppended(position: number): void;
  onStaleConfig(): Promise<void>;
}

/** A command of the group with its decision. */
type Decision =
  | {
      readonly kind: 'append';
      readonly pending: Pending;
      readonly events: readonly LedgerEvent[];
      readonly meta: Meta;
      readonly command: AppendCommand;
      readonly state: unknown;
    }
  | { readonly kind: 'refuse'; readonly pending: Pending; readonly rejection: Rejection }
  | { readonly kind: 'nothing'; readonly pending: Pending; readonly state: unknown }
  /** The key of an earlier append of the group: gets the result of that one. */
  | { readonly kind: 'repeat'; readonly pending: Pending };

/** Commands of a group to decide again, and the error if the database was away. */
interface Unfinished {
  readonly again: readonly Pending[];
  readonly away: Error | null;
}

/** Runs a queue until it is empty. `retire` is called in the same tick in which it was found empty. */
export async function runQueue(
  context: ExecutorContext,
  queue: StreamQueue,
  retire: () => void,
): Promise<void> {
  let reserved: Pending | undefined;
  while (queue.pending.length > 0) {
    const next = queue.pending.findIndex(({ execution }, at) => at > 0 && execution.readsStream);
    const group = queue.pending.splice(0, next > 0 ? Math.min(next, GROUP_MAX) : GROUP_MAX);
    try {
      const { again, away } = await runGroup(context, queue.stream, group);
      queue.pending.unshift(...(await retry(again, away)));
      if (context.reserves && !away) reserved = await reserve(context, queue, reserved);
    } catch (error) {
      context.states?.delete(queue.stream);
      const open = group.filter((pending) => !pending.hasResult);
      if (isUnavailable(error)) queue.pending.unshift(...(await retry(open, error)));
      else {
        for (const pending of open) pending.reject(error);
        if (reserved) reserved = await reserve(context, queue, reserved);
      }
    }
  }
  retire();
}

/**
 * Reserves the stream for the first command that lost a race, until it has its result. Best effort: every lost attempt reserves
 * again, and a reservation ends by itself.
 */
async function reserve(
  { pool }: ExecutorContext,
  { stream, pending }: StreamQueue,
  reserved: Pending | undefined,
): Promise<Pending | undefined> {
  const call = ({ idempotencyKey }: Pending, seconds: number) =>
    pool
      .query('select reserve_stream($1, $2, $3)', [streamKey(stream), idempotencyKey, seconds])
      .catch(() => {});
  const lost = pending.find(({ attempts }) => attempts > 0);
  if (reserved && reserved !== lost) await call(reserved, 0);
  if (lost) await call(lost, RESERVED_S);
  return lost;
}

/** Decides and appends one group. */
async function runGroup(context: ExecutorContext, stream: string, group: readonly Pending[]) {
  const [first] = group;
  assert(first, 'a group has a command');
  const { decider } = first.execution as Execution<unknown, never, LedgerEvent>;
  const current = context.states?.get(stream) ?? (await context.loadState(decider, stream));
  const decisions = await decideAll(group, current);
  const appends = decisions.filter((decision) => decision.kind === 'append');
  const results =
    appends.length > 0
      ? await context.batcher.append(appends.map((decision) => decision.command))
      : [];
  const unfinished = await answerAll(context, stream, { current, decisions, results });
  // An error of `prepare` or of the decider may be about the state: the next command loads it.
  if (decisions.length < group.length) context.states?.delete(stream);
  return unfinished;
}

async function decideAll(
  group: readonly Pending[],
  current: CurrentState<unknown>,
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  let { state, version } = current;
  // Appended, a repeated key would invalidate the versions of all commands after it.
  const keys = new Set<string>();
  for (const pending of group) {
    if (keys.has(pending.idempotencyKey)) {
      decisions.push({ kind: 'repeat', pending });
      continue;
    }
    try {
      const decision = await decideOne(pending, state, version);
      decisions.push(decision);
      if (decision.kind === 'append') {
        keys.add(pending.idempotencyKey);
        state = decision.state;
        version += decision.events.length;
      }
    } catch (error) {
      if (isUnavailable(error)) throw error;
      pending.reject(error);
    }
  }
  return decisions;
}

async function decideOne(pending: Pending, state: unknown, version: number): Promise<Decision> {
  const { decider, stream, prepare } = pending.execution;
  const prepared: Prepared<unknown> | Rejection = await prepare(state);
  if (isRejection(prepared)) return { kind: 'refuse', pending, rejection: prepared };
  const events = decider.decide(state, prepared.command);
  if (isRejection(events)) return { kind: 'refuse', pending, rejection: events };
  if (events.length === 0) return { kind: 'nothing', pending, state };
  assert(events.length <= EVENTS_PER_COMMAND_MAX, 'a command has few events');

  const { kind, id } = parseStream(stream);
  let after = state;
  for (const event of events) {
    if (kind === 'player') checkMoney(event as AnyEvent, id, after as Balances);
    after = decider.evolve(after, event);
  }
  const meta = { command: pending.idempotencyKey, ...pending.execution.meta };
  const command: AppendCommand = {
    idempotencyKey: pending.idempotencyKey,
    requestHash: pending.requestHash,
    stream,
    expectedVersion: version,
    configVersion: prepared.configVersion,
    operatorsVersion: prepared.operatorsVersion ?? null,
    marginDeltaMinor: marginDeltaMinor(events as readonly AnyEvent[], id),
    mustCover: takesCover(events as readonly AnyEvent[]),
    state: encode(after),
    stateSchema: decider.stateSchema,
    events: tailsOf(stream, { events, meta }),
  };
  return { kind: 'append', pending, events, meta, command, state: after };
}

/** Gives each caller of a group the result of its command. */
async function answerAll(
  context: ExecutorContext,
  stream: string,
  group: {
    readonly current: CurrentState<unknown>;
    readonly decisions: readonly Decision[];
    readonly results: readonly (AppendResult | Error)[];
  },
): Promise<Unfinished> {
  const again: Pending[] = [];
  let { state, version } = group.current;
  let at = 0;
  let intact = true; // every command so far was appended on the state it was decided on
  // The first append succeeded at the version that the group was decided on, so all states up to the first failure were the stream's.
  const proven = isAppended(group.results[0]);
  let stale = false;
  let away: Error | null = null;
  const positions = new Map<string, number>();
  for (const decision of group.decisions) {
    const { pending } = decision;
    if (decision.kind === 'repeat') {
      const position = positions.get(pending.idempotencyKey);
      if (position === undefined) again.push(pending);
      else await answerDuplicate(context, pending, position);
      continue;
    }
    if (decision.kind !== 'append') {
      const hasResult = intact && (await answerUnwritten(context, decision, { version, proven }));
      if (!hasResult) {
        intact = false;
        again.push(pending);
      }
      continue;
    }
    const result = group.results[at++];
    assert(result, 'every append has a result');
    if ('position' in result) positions.set(pending.idempotencyKey, result.position);
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
    } else if (result.status === 'clock-skew' && pending.attempts > 0) {
      pending.reject(new ClockSkew(result.skewMs));
    } else {
      stale ||= result.status === 'stale-config';
      again.push(pending);
    }
  }
  if (intact) context.states?.set(stream, { state, version });
  else context.states?.delete(stream);
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
 * own group, or by the cached state being current. False: decide it again.
 */
async function answerUnwritten(
  context: ExecutorContext,
  decision: Exclude<Decision, { kind: 'append' | 'repeat' }>,
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

/** The idempotency key is used: the first result again for the same request, a refusal for another. */
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

/** Counts the attempt, rejects commands that had too many, and pauses. @returns the commands to try again. */
async function retry(group: readonly Pending[], away: unknown = null): Promise<readonly Pending[]> {
  const again = group.filter((pending) => {
    pending.attempts++;
    const inTime = !away || performance.now() - pending.askedAtMs < WAIT_AWAY_MAX_MS;
    if (inTime && pending.attempts < (away ? ATTEMPTS_AWAY_MAX : ATTEMPTS_MAX)) return true;
    pending.reject(away ?? new Overloaded(`${pending.execution.stream}: every race was lost`));
    return false;
  });
  if (again.length === 0) return again;
  const tries = Math.max(...again.map((pending) => pending.attempts));
  const pauseMs = away ? PAUSE_AWAY_MS * 2 ** tries : Math.min(PAUSE_MAX_MS, 2 ** tries);
  await sleep(pauseMs * (0.5 + Math.random()));
  return again;
}
