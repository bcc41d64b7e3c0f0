/**
 * Starts a child process again whenever it ends.
 *
 *   running --ended--> pausing --start--> running
 *                        |  '--failed--> pausing (twice as long)
 *                        '--too many failures in a row--> given up
 */
import { pause } from './alarm.ts';

export interface Child {
  /** Resolves when it has ended, with the end of its log. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface RestartTiming {
  /** Before a restart: from the first to the last value, doubling with each failure in a row. */
  readonly pauseMinMs: number;
  readonly pauseMaxMs: number;
  /** An end after this time is the first failure in a row. */
  readonly worksAfterMs: number;
}

const RESTART_TIMING: RestartTiming = {
  pauseMinMs: 250,
  pauseMaxMs: 30_000,
  worksAfterMs: 60_000,
};

export interface KeptRunning {
  /** Ends the child, also one that is starting. */
  close(): Promise<void>;
}

/** Keeps `first` running until `signal` aborts or it is closed. */
export function keepRunning(
  first: Child,
  options: {
    readonly name: string;
    readonly signal: AbortSignal;
    readonly log: {
      warn(details: object, message: string): void;
      error(details: object, message: string): void;
    };
    start(): Promise<Child>;
    /** Gives up after so many failures in a row: ends of the child and failed starts. */
    readonly giveUp?: { readonly failuresMax: number; act(reason: string): void };
    readonly timing?: RestartTiming;
  },
): KeptRunning {
  const { name, log, giveUp, timing = RESTART_TIMING } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  let current: Child | null = first;
  let starting: Promise<Child | null> | null = null;
  let failures = 0;

  /** @returns null when closed or given up. */
  async function startAgain(reason: string): Promise<Child | null> {
    let problem = reason;
    for (let failedStarts = 0; ; failedStarts++) {
      failures++;
      if (giveUp && failures > giveUp.failuresMax) {
        giveUp.act(problem);
        return null;
      }
      await pause(Math.min(timing.pauseMinMs * 2 ** (failures - 1), timing.pauseMaxMs), signal);
      if (signal.aborted) return null;
      try {
        const child = await options.start();
        log.warn({}, `${name} runs again`);
        return child;
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
        if (failedStarts === 0) {
          log.error({ err: error }, `${name} cannot be started again; retrying`);
        }
      }
    }
  }

  async function run(): Promise<void> {
    while (current) {
      const startedMs = performance.now();
      const tail = await current.ended;
      current = null;
      if (signal.aborted) return;
      if (performance.now() - startedMs >= timing.worksAfterMs) failures = 0;
      log.warn({ tail }, `${name} ended; starting it again`);
      starting = startAgain(tail);
      current = await starting;
    }
  }

  const running = run();
  return {
    async close() {
      closing.abort();
      // Not `current`: the loop may not have taken the new child yet.
      const child = starting ? await starting : null;
      await (child ?? current)?.close();
      await running;
    },
  };
}
