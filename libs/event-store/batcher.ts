import type pg from 'pg';
import {
  type AppendCommand,
  type AppendResult,
  append,
  COMMANDS_PER_APPEND_MAX,
} from './append.ts';
import { isUnavailable } from './db.ts';

/** While two batches are on their way, the third gathers: more would only wait for the head's lock. */
const BATCHES_IN_FLIGHT_MAX = 2;
/** A batch closes when it has this many commands. */
const BATCH_TARGET = 128;
/** Groups that may wait for a batch. Each stream queue waits for at most one, so this bounds the active streams. */
const GROUPS_QUEUED_MAX = 20_000;

/** More work is waiting than this process takes on. The caller should answer 503 and let the client come again. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

interface Group {
  readonly commands: readonly AppendCommand[];
  resolve(results: readonly (AppendResult | Error)[]): void;
}

/** Group commit: commands that arrive while a batch is being written share the next one, and its flush to disk. */
export interface Batcher {
  /**
   * Appends the commands of one group in one batch, in order. Answers for each; an Error stands for a command that
   * the database would not take, or for all of them when it was away.
   */
  append(commands: readonly AppendCommand[]): Promise<readonly (AppendResult | Error)[]>;
  /** Resolves when all that was given has been answered. */
  idle(): Promise<void>;
}

export function startBatcher(pool: pg.Pool): Batcher {
  const queue: Group[] = [];
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  let scheduled = false;

  /** In the next turn of the event loop: the callers that one batch answered come back together, not one ahead. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      pump();
    });
  }

  function pump(): void {
    while (inFlight < BATCHES_IN_FLIGHT_MAX && queue.length > 0) {
      const batch = takeBatch(queue);
      inFlight++;
      void send(pool, batch).finally(() => {
        inFlight--;
        schedule();
      });
    }
    if (inFlight === 0 && queue.length === 0) for (const done of waiting.splice(0)) done();
  }

  return {
    append(commands) {
      if (queue.length >= GROUPS_QUEUED_MAX) return Promise.reject(new Overloaded('append queue'));
      return new Promise((resolve) => {
        queue.push({ commands, resolve });
        schedule();
      });
    },
    idle() {
      if (inFlight === 0 && queue.length === 0) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Whole groups only: the commands of one were decided on each other. */
function takeBatch(queue: Group[]): Group[] {
  const batch: Group[] = [];
  let size = 0;
  while (queue[0] && size < BATCH_TARGET) {
    if (size + queue[0].commands.length > COMMANDS_PER_APPEND_MAX) break;
    size += queue[0].commands.length;
    batch.push(queue.shift() as Group);
  }
  return batch;
}

async function send(pool: pg.Pool, batch: readonly Group[]): Promise<void> {
  const commands = batch.flatMap((group) => group.commands);
  const results = await appendOrIsolate(pool, commands);
  let at = 0;
  for (const { commands, resolve } of batch) {
    resolve(results.slice(at, at + commands.length));
    at += commands.length;
  }
}

/** A batch that fails as a whole is sent again command by command, so that only the poison fails. */
async function appendOrIsolate(
  pool: pg.Pool,
  commands: readonly AppendCommand[],
): Promise<readonly (AppendResult | Error)[]> {
  try {
    return await append(pool, commands);
  } catch (error) {
    if (isUnavailable(error) || commands.length === 1) return commands.map(() => error as Error);
  }
  const results: (AppendResult | Error)[] = [];
  for (const command of commands) {
    results.push(...(await appendOrIsolate(pool, [command])));
  }
  return results;
}
