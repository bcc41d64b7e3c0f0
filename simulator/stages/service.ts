import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess } from '@reelbook/runtime/processes';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';

/** Exit code of a start that failed, such as one without a database. The supervisor starts it again. */
const EXIT_BAD_START = 2;
const START_AGAIN_MS = 500;
const STOP_TIMEOUT_MS = 60_000;
/** As the Dockerfile has it. */
const YOUNG_SPACE = '--max-semi-space-size=64';

/** A process of ours under a supervisor, as a container engine is one: what ends is started again. */
export interface Service {
  readonly name: string;
  readonly logFile: string;
  /** The process that runs now; null while it is down. */
  pid(): number | null;
  /** Starts that found no database and were tried again. */
  badStarts(): number;
  /** Unexpected exits that a missing database does not explain. */
  readonly faults: readonly string[];
  /** Ends it, by default as kill -9 does, and starts it again after `downMs`. Resolves when it is dead. */
  kill(downMs: number, signal?: NodeJS.Signals): Promise<void>;
  /** Stops its process; `resume` lets it go on. */
  pause(): void;
  resume(): void;
  /** What starts from now on is of that compiled build. */
  runFrom(build: string): void;
  /** Asks it to end, for good, and waits however long that takes. @returns its exit code; null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends it in order, or else not, for good. */
  stop(): Promise<void>;
}

export function startService(o: {
  readonly name: string;
  /** The folder in services/ whose main.ts is run; or the file there, without its `.ts`. */
  readonly main: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFolder: string;
}): Service {
  const logFile = join(o.logFolder, `${o.name}.log`);
  const faults: string[] = [];
  let child: ChildProcess | null = null;
  let killed = false;
  let stopping = false;
  let badStarts = 0;
  let downMs = 0;
  let build: string | null = null;

  async function run(): Promise<void> {
    while (!stopping) {
      killed = false;
      child = launch(o.main, { environment: o.environment, logFile, build });
      const lastWord = killer(child);
      process.once('exit', lastWord);
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      process.removeListener('exit', lastWord);
      child = null;
      if (stopping) return;
      if (killed) await sleep(downMs);
      else {
        if (code === EXIT_BAD_START) badStarts++;
        else faults.push(`${o.name} ended unexpectedly with ${signal ?? `code ${code}`}`);
        await sleep(START_AGAIN_MS);
      }
    }
  }

  const running = run();
  return {
    name: o.name,
    logFile,
    faults,
    pid: () => child?.pid ?? null,
    badStarts: () => badStarts,
    async kill(ms, signal = 'SIGKILL') {
      const victim = child;
      if (!victim) return;
      killed = true;
      downMs = ms;
      victim.kill(signal);
      await once(victim, 'exit');
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    runFrom(folder) {
      build = folder;
    },
    async end(signal) {
      stopping = true;
      const ending = child;
      if (!ending) throw new Error(`${o.name} is down`);
      ending.kill(signal);
      const [code] = (await once(ending, 'exit')) as [number | null];
      await running;
      return code;
    },
    async stop() {
      stopping = true;
      child?.kill('SIGCONT');
      const { pid } = child ?? {};
      if (pid !== undefined) {
        await endProcess(pid, [
          ['SIGTERM', STOP_TIMEOUT_MS],
          ['SIGKILL', STOP_TIMEOUT_MS],
        ]);
      }
      await running;
    },
  };
}

function launch(
  main: string,
  o: {
    readonly environment: Readonly<Record<string, string>>;
    readonly logFile: string;
    readonly build: string | null;
  },
): ChildProcess {
  const log = openSync(o.logFile, 'a', 0o600);
  const path = `services/${main.includes('/') ? main : `${main}/main`}`;
  const program = o.build === null ? [RUN, `${path}.ts`] : [join(o.build, `${path}.js`)];
  const child = spawn(process.execPath, [YOUNG_SPACE, ...program], {
    cwd: REPOSITORY,
    env: o.environment,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return child;
}

function killer(child: ChildProcess): () => void {
  return () => void child.kill('SIGKILL');
}
