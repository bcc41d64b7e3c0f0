import { type ChildProcess, spawn } from 'node:child_process';
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
import type { Lifecycle } from '@reelbook/runtime/lifecycle';
import { type Logger, withoutSecrets } from '@reelbook/runtime/log';
import { freePort, greets } from '@reelbook/runtime/ports';
import { endProcess, isWorkingIn } from '@reelbook/runtime/processes';
import { programPath, type Settings } from '@reelbook/runtime/settings';
import type { PrintLine } from './banner.ts';

const PROGRAM = 'nats-server';
const READY_TIMEOUT_MS = 15_000;
const READY_POLL_MS = 25;
const STOP_TIMEOUT_MS = 5_000;
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
  const { port, url } = await startNats(program, join(settings.dataDir, 'nats'), life);
  const file = join(settings.dataDir, NATS_URL_FILE);
  writeFileSync(file, url, { mode: 0o600 });
  life.onClose('NATS URL', async () => rmSync(file, { force: true }));
  const bus = await connectNats({ url, log });
  return { bus, where: `${program} on port ${port}` };
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

async function startNats(program: string, folder: string, life: Lifecycle) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pidFile = join(folder, 'pid');
  await endLeftover(pidFile, folder);
  const port = await freePort();
  // New for each start, and in a file: other users of the machine can read the arguments of a process.
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  const config = join(folder, 'conf');
  const access = `authorization { user: reelbook, password: "${password}" }\n`;
  writeFileSync(config, access, { mode: 0o600 });
  const log = openSync(join(folder, 'log'), 'w', 0o600);
  const child = spawn(
    program,
    ['-c', config, '-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder, '-P', pidFile],
    // Detached, so that Ctrl-C in the terminal reaches only this process, which closes its parts in order.
    { cwd: folder, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const stopAtExit = () => void child.kill('SIGTERM');
  process.once('exit', stopAtExit);
  child.once('exit', () => {
    process.removeListener('exit', stopAtExit);
    if (!life.signal.aborted) life.fail(new Error(`${program} exited; see ${folder}/log`));
  });
  life.onClose('nats-server', () => stop(child));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await greets(port, READY_TIMEOUT_MS))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${program} did not start; see ${folder}/log`);
    }
    await sleep(READY_POLL_MS);
  }
  return { port, url: `nats://reelbook:${password}@127.0.0.1:${port}` };
}

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

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  await endProcess(child.pid, [
    ['SIGTERM', STOP_TIMEOUT_MS],
    ['SIGKILL', STOP_TIMEOUT_MS],
  ]);
}
