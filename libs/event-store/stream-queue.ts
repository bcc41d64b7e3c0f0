/**
 * A stream queue holds the commands of one stream. They are decided one after the other, each on the result of the one
 * before, and leave together as one group of a batch. Only when that batch is answered does the next group form.
 * So a hundred parallel spins of one player cost a few commits, and nothing is decided on a batch whose fate is open.
 *
 * What a group's answer may bring:
 *   appended         the caller gets the events; the current state moves on
 *   duplicate-key  the caller gets the first result again, from the book
 *   conflict, stale  the current state is dropped, and the command goes to the front of the queue again (bounded, jittered)
 *   over-cover       a refusal
 *   an error         the database was away (tried again, bounded) or would not take this command (thrown)
 * A refusal made on a current state that others have overtaken, or behind a command that was not appended, was made on a
 * state that never was: it is decided again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@reelbook/ledger/assert';
import { tailsOf } from '@reelbook/ledger/body';
import { encode } from '@reelbook/ledger/codec';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { AnyEvent } from '@reelbook/ledger/events';
import { checkMoney } from '@reelbook/ledger/invariants';
import { marginDeltaMinor, takesCover } from '@reelbook/ledger/margin';
import type { Balances } from '@reelbook/ledger/player/balances';
import { isRejection, type Rejection } from '@reelbook/ledger/rejections';
import { parseStream } from '@reelbook/ledger/streams';
import { answerAll, type Decision, type ExecutorContext, metaOf, type Pending } from './answer.ts';
import { type AppendCommand, EVENTS_PER_COMMAND_MAX } from './append.ts';
import { Overloaded } from './batcher.ts';
import { isUnavailable } from './db.ts';
import type { Execution, Prepared } from './execution.ts';
import type { CurrentState } from './read-stream.ts';

/** Commands of one stream that are decided on each other before the first is written. */
const GROUP_MAX = 64;
/** Tries of one command against other processes, and against a database that is away. */
const ATTEMPTS_MAX = 24;
const ATTEMPTS_AWAY_MAX = 6;
/** Nobody is kept waiting longer for a database that is away: a try may itself last until a time limit. */
const WAIT_AWAY_MAX_MS = 5_000;
/** The pause between tries grows and is jittered, or the one who lost a race would lose the next one too. */
const PAUSE_MAX_MS = 60;
const PAUSE_AWAY_MS = 40;

export interface StreamQueue {
  readonly stream: string;
  readonly pending: Pending[];
}

/** Runs a queue until it is empty. `retire` is called in the same tick in which it was found empty. */
export async function runQueue(
  context: ExecutorContext,
  queue: StreamQueue,
  retire: () => void,
): Promise<void> {
  while (queue.pending.length > 0) {
    const group = queue.pending.splice(0, GROUP_MAX);
    try {
      const { again, away } = await runGroup(context, queue.stream, group);
      queue.pending.unshift(...(await retry(again, away)));
    } catch (error) {
      context.states.delete(queue.stream);
      const open = group.filter((pending) => !pending.answered);
      if (isUnavailable(error)) queue.pending.unshift(...(await retry(open, error)));
      else for (const pending of open) pending.reject(error);
    }
  }
  retire();
}

/** Decides and appends one group. */
async function runGroup(context: ExecutorContext, stream: string, group: readonly Pending[]) {
  const [first] = group;
  assert(first, 'a group has a command');
  const { decider } = first.execution as Execution<unknown, never, LedgerEvent>;
  const current = context.states.get(stream) ?? (await context.loadState(decider, stream));
  const decisions = await decideAll(group, current);
  const appends = decisions.filter((decision) => decision.kind === 'append');
  const results =
    appends.length > 0
      ? await context.batcher.append(appends.map((decision) => decision.command))
      : [];
  return answerAll(context, stream, { current, decisions, results });
}

async function decideAll(
  group: readonly Pending[],
  current: CurrentState<unknown>,
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  let { state, version } = current;
  for (const pending of group) {
    try {
      const decision = await decideOne(pending, state, version);
      decisions.push(decision);
      if (decision.kind === 'append') {
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
  const margin = marginDeltaMinor(events as readonly AnyEvent[], id);
  const meta = metaOf(pending);
  const command: AppendCommand = {
    idempotencyKey: pending.idempotencyKey,
    requestHash: pending.requestHash,
    stream,
    expectedVersion: version,
    configVersion: prepared.configVersion,
    marginDeltaMinor: margin,
    mustCover: takesCover(events as readonly AnyEvent[]),
    state: encode(after),
    stateSchema: decider.stateSchema,
    events: tailsOf(stream, { events, meta }),
  };
  return { kind: 'append', pending, events, meta, command, state: after };
}

/** Counts the try, gives up what had too many, and pauses before the next. @returns what is to be tried again. */
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
