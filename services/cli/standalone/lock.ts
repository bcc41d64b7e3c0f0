import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@reelbook/runtime/lifecycle';
import { bornAt, codeOf, isAlive, parentOf } from '@reelbook/runtime/processes';
import { isRunByNpm } from '@reelbook/runtime/settings';
import type { PrintLine } from './banner.ts';

const ATTEMPTS_MAX = 3;
/** Two starts that find the same stale lock may both replace it; the later writer keeps it. */
const SETTLE_MS = 100;
/** Time for a process whose parent was killed to detect it and close. */
const ORPHAN_ENDS_MS = 25_000;
const ORPHAN_POLL_MS = 100;

/** The process that holds the folder; `born` distinguishes it from a later one with the same id. */
interface Holder {
  readonly pid: number;
  readonly born: string;
  /** The npm process that started it; it ends when npm ends. Null without npm. */
  readonly parent: number | null;
}

/**
 * Creates the folder if it is missing and locks it for this process. Throws StartError if the folder is not writable or
 * a running process holds the lock. Takes over a lock left by a kill -9. Waits for a process whose parent was killed: it
 * is about to end.
 */
export async function lockDataFolder(
  folder: string,
  printLine: PrintLine = () => {},
): Promise<{ release(): void }> {
  const file = join(folder, 'lock');
  const { pid, ppid } = process;
  const parent = isRunByNpm() ? ppid : null;
  const mine = JSON.stringify({ pid, born: bornAt(pid), parent } satisfies Holder);
  prepare(folder);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (write(file, mine)) {
      await sleep(SETTLE_MS);
      if (read(file) === mine) return { release: () => rmSync(file, { force: true }) };
    }
    const holder = parse(read(file));
    if (holder && isRunning(holder) && !(await orphanEnds(holder, printLine))) {
      throw new StartError(
        `Another Reelbook (process ${holder.pid}) is running on the data in ${folder}.\n` +
          'Stop it first, or set DATA_DIR to another folder and PORT to another port.',
      );
    }
    rmSync(file, { force: true });
  }
  throw new StartError(`Another process is taking the lock ${file}; start again.`);
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, '.probe'), '');
    rmSync(join(folder, '.probe'));
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be written (${codeOf(error)}).\n` +
        'Set DATA_DIR to a writable folder.',
    );
  }
}

function write(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): string | null {
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8') : null;
}

/** A lock whose process was killed while writing it is empty: no holder. */
function parse(text: string | null): Holder | null {
  try {
    return text ? (JSON.parse(text) as Holder) : null;
  } catch {
    return null;
  }
}

function isRunning(holder: Holder): boolean {
  if (holder.pid === process.pid) return false;
  return isAlive(holder.pid) && bornAt(holder.pid) === holder.born;
}

/** Waits for a process whose parent was killed to end. @returns whether it ended; false for any other process. */
async function orphanEnds(holder: Holder, printLine: PrintLine): Promise<boolean> {
  const { pid, parent = null } = holder;
  const now = parentOf(pid);
  if (parent === null || now === null || now === parent) return false;
  printLine(`waiting for process ${pid} to end: its parent was killed`);
  const deadline = Date.now() + ORPHAN_ENDS_MS;
  while (isRunning(holder) && Date.now() < deadline) await sleep(ORPHAN_POLL_MS);
  return !isRunning(holder);
}
