/**
 * Start and end of a process. Closes the parts one by one in the reverse order of their opening, within a deadline. An
 * uncaught error ends the process the same way, with exit code 1.
 */
import closeWithGrace from 'close-with-grace';
import type { Logger } from './log.ts';
import { codeOf } from './processes.ts';
import { SettingsError } from './settings.ts';

const CLOSE_DEADLINE_MS = 20_000;
/** npm forwards a Ctrl-C that the terminal also sends to this process: a second one within this time is a duplicate. */
const SAME_SIGNAL_MS = 1_000;
const EXIT_FAULT = 1;
const EXIT_BAD_START = 2;
const LOOK_FOR_PARENT_EVERY_MS = 500;
/**
 * Error codes of a wrong setting: a port in use or without permission, an address of another machine, an unknown host
 * name, a login that is refused or lacks a privilege, a missing database.
 */
const SETTING_CODE = /^(EADDRINUSE|EACCES|EADDRNOTAVAIL|ENOTFOUND|28000|28P01|42501|3D000)$/;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A failed start that the user can fix: shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface Lifecycle {
  /** Aborted when closing begins. */
  readonly signal: AbortSignal;
  /** Registers how to close a part that was just opened. */
  onClose(name: string, close: () => Promise<void> | void): void;
  /** Ends the process in order, with exit code 1. */
  fail(error: unknown): void;
}

/**
 * Runs a process: `main` opens its parts and returns; then the process runs until a signal or an error. An error of the
 * start is printed on standard error and ends the process with code 2.
 */
export async function runProcess(
  log: Logger,
  main: (life: Lifecycle) => Promise<void>,
): Promise<void> {
  const closers = new Closers(log);
  const handle = closeWithGrace(
    { delay: CLOSE_DEADLINE_MS, skip: [...STOP_SIGNALS], logger: false },
    async ({ err }: { err?: Error | undefined }) => {
      if (err) log.fatal({ err }, 'closing after an uncaught error');
      await closers.closeAll();
    },
  );
  listenToSignals(log, () => handle.close());
  const end = async (code: number) => {
    setTimeout(() => process.exit(code), CLOSE_DEADLINE_MS);
    await closers.closeAll();
    process.exit(code);
  };
  const fail = (error: unknown) => {
    log.fatal({ err: error }, 'closing after an error');
    void end(EXIT_FAULT);
  };
  try {
    await main({
      signal: closers.signal,
      onClose: (name, close) => closers.add(name, close),
      fail,
    });
  } catch (error) {
    if (closers.signal.aborted) return;
    explain(error);
    await end(EXIT_BAD_START);
  }
}

function listenToSignals(log: Logger, close: () => void): void {
  let firstAtMs = 0;
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (firstAtMs === 0) {
        firstAtMs = Date.now();
        log.info(`${name}: closing`);
        close();
      } else if (Date.now() - firstAtMs > SAME_SIGNAL_MS) {
        log.warn(`${name} again: exiting immediately`);
        process.exit(1);
      }
    });
  }
}

/**
 * Closes the process when its parent has ended: npm killed with -9 forwards no signal, and an orphaned server would keep
 * the port and the data.
 */
export function endWithParent(life: Lifecycle): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    life.fail(new Error(`the parent process ${parent} has ended`));
  }, LOOK_FOR_PARENT_EVERY_MS).unref();
}

/** Prints why a start failed: a fixable error without its stack, any other error with it. */
export function explain(error: unknown): void {
  const shown = error instanceof Error && (isFixable(error) ? error.message : error.stack);
  process.stderr.write(`\n${shown || String(error)}\n`);
}

/** Whether its message alone is enough to fix the cause. */
export function isFixable(error: unknown): boolean {
  if (error instanceof StartError || error instanceof SettingsError) return true;
  return isUsageError(error) || SETTING_CODE.test(codeOf(error));
}

/** `parseArgs` throws these for unknown options and missing values. */
function isUsageError(error: unknown): boolean {
  return codeOf(error).startsWith('ERR_PARSE_ARGS');
}

class Closers {
  readonly #log: Logger;
  readonly #controller = new AbortController();
  readonly #closers: { name: string; close: () => Promise<void> | void }[] = [];
  #closing: Promise<void> | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  add(name: string, close: () => Promise<void> | void): void {
    this.#closers.push({ name, close });
  }

  closeAll(): Promise<void> {
    this.#controller.abort();
    this.#closing ??= this.#closeEach();
    return this.#closing;
  }

  async #closeEach(): Promise<void> {
    // Not a loop over a copy: a part that is still being opened may be added while closing.
    for (let next = this.#closers.pop(); next; next = this.#closers.pop()) {
      try {
        await next.close();
        this.#log.debug(`closed ${next.name}`);
      } catch (error) {
        this.#log.error({ err: error }, `${next.name} did not close`);
      }
    }
  }
}
