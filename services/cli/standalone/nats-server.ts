import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { NATS_URL_FILE } from '@reelbook/runtime/data-folder';
import { type Child, keepRunning } from '@reelbook/runtime/keep-running';
import type { Lifecycle } from '@reelbook/runtime/lifecycle';
import { type Logger, withoutSecrets } from '@reelbook/runtime/log';
import { freePort, greets } from '@reelbook/runtime/ports';
import { endProcess, isWorkingIn } from '@reelbook/runtime/processes';
import { programPath, type Settings } from '@reelbook/runtime/settings';
import type { PrintLine } from './banner.ts';
import { watchStoring } from './watch-storing.ts';

const PROGRAM = 'nats-server';
const READY_TIMEOUT_MS = 15_000;
const READY_POLL_MS = 25;
const READY_POLL_TIMEOUT_MS = 1_000;
const STOP_TIMEOUT_MS = 5_000;
const LOG_TAIL_CHARS = 500;
/**
 * Above the limit of the stream. By default it is three quarters of the space that is free at the start: on a disk that is
 * nearly full the server then refuses the stream until it is started again.
 */
const STORE_MAX_BYTES = 2 * 1024 ** 3;
const PASSWORD_BYTES = 24;

/**
 * The bus: NATS_URL, else a `nats-server` found on the PATH, run as a child process with its data in DATA_DIR, else an
 * in-process bus. The bus may lose messages: the ledger is in Postgres.
 */
export async function openBus(
  settings: Settings,
  life: Lifecycle,
  log: Logger,
  printLine: PrintLine,
): Promise<{ bus: Bus; where: string }> {
  const opened = await choose(settings, life, log, printLine);
  life.onClose('bus', () => opened.bus.close());
  return opened;
}

async function choose(settings: Settings, life: Lifecycle, log: Logger, printLine: PrintLine) {
  if (settings.natsUrl) {
    const bus = await connectNats({ url: settings.natsUrl, log });
    return { bus, where: withoutSecrets(settings.natsUrl) };
  }
  const program = findProgram();
  if (!program) return { bus: createInProcessBus(), where: 'in this process' };
  printLine(`starting ${program}`);
  const { port, url, restart } = await startNats(
    program,
    join(settings.dataDir, 'nats'),
    life,
    log,
  );
  const file = join(settings.dataDir, NATS_URL_FILE);
  writeFileSync(file, url, { mode: 0o600 });
  life.onClose('NATS URL', async () => rmSync(file, { force: true }));
  const bus = await connectNats({ url, log });
  return { bus: watchStoring(bus, restart), where: `${program} on port ${port}` };
}

function findProgram(): string | null {
  const found = programPath()
    .map((folder) => join(folder, PROGRAM))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  return found ?? null;
}

/** Starts NATS and keeps it running, on one port and with one password, so that the bus reconnects. */
async function startNats(program: string, folder: string, life: Lifecycle, log: Logger) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await endLeftover(join(folder, 'pid'), folder);
  rmSync(join(folder, 'log'), { force: true });
  const port = await freePort();
  // New for each start, and in a file: other users of the machine can read the arguments of a process.
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  writeFileSync(join(folder, 'conf'), configOf(folder, password), { mode: 0o600 });
  let current = await launch(program, folder, port);
  const kept = keepRunning(current, {
    ...{ name: PROGRAM, signal: life.signal, log },
    async start() {
      current = await launch(program, folder, port);
      return current;
    },
  });
  life.onClose(PROGRAM, () => kept.close());
  return {
    port,
    url: `nats://reelbook:${password}@127.0.0.1:${port}`,
    /** Ends a server that stores nothing; it is then started again. */
    restart(failingMs: number, reason: string) {
      if (performance.now() - current.startedMs < failingMs) return;
      log.warn({ reason }, `${PROGRAM} stores nothing; ending it`);
      current.kill();
    },
  };
}

function configOf(folder: string, password: string): string {
  return `authorization { user: reelbook, password: "${password}" }
jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: ${STORE_MAX_BYTES} }
`;
}

async function launch(program: string, folder: string, port: number) {
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(
    program,
    ['-c', join(folder, 'conf'), '-a', '127.0.0.1', '-p', String(port), '-P', join(folder, 'pid')],
    // Detached, so that Ctrl-C in the terminal reaches only this process, which closes its parts in order.
    { cwd: folder, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const stopAtExit = () => void child.kill('SIGTERM');
  process.once('exit', stopAtExit);
  let failure: Error | null = null;
  let isRunning = true;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      failure = error;
      resolve();
    });
  }).then(() => {
    isRunning = false;
    process.removeListener('exit', stopAtExit);
  });
  const stop = async () => {
    if (isRunning && child.pid !== undefined) {
      await endProcess(child.pid, [
        ['SIGTERM', STOP_TIMEOUT_MS],
        ['SIGKILL', STOP_TIMEOUT_MS],
      ]);
    }
    await exited;
  };
  const deadline = performance.now() + READY_TIMEOUT_MS;
  // Another program may have the port and greet.
  while (!(await greets(port, READY_POLL_TIMEOUT_MS)) || !isRunning) {
    if (!isRunning || performance.now() > deadline) {
      await stop();
      const reason = (failure as Error | null)?.message ?? tailOf(logFile);
      throw new Error(`${program} did not start; see ${logFile}: ${reason}`);
    }
    await sleep(READY_POLL_MS);
  }
  return {
    startedMs: performance.now(),
    ended: exited.then(() => tailOf(logFile)),
    kill: () => void child.kill('SIGKILL'),
    close: stop,
  } satisfies Child & { startedMs: number; kill(): void };
}

const tailOf = (file: string) => readFileSync(file, 'utf8').slice(-LOG_TAIL_CHARS);

/** Ends a server left by a kill -9: it would write to the same files. */
async function endLeftover(pidFile: string, folder: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (!isWorkingIn(pid, folder)) return;
  await endProcess(pid, [
    ['SIGTERM', STOP_TIMEOUT_MS],
    ['SIGKILL', STOP_TIMEOUT_MS],
  ]);
}
