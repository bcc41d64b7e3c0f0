import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const END_POLL_MS = 40;

/** Whether a process with that id runs. A zombie does not run. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  return statFields(pid)?.[0] !== 'Z';
}

/**
 * Distinguishes a process from a later one with the same id: its start time in system ticks, and the boot id. Constant if
 * there is no /proc.
 */
export function bornAt(pid: number): string {
  const began = statFields(pid)?.[19];
  if (!began) return 'unknown';
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${began}`;
}

/** The id of its parent process; null if there is no /proc. */
export function parentOf(pid: number): number | null {
  const parent = statFields(pid)?.[1];
  return parent === undefined ? null : Number(parent);
}

/** The fields after the program's name in /proc/<pid>/stat: state at index 0, start time at index 19. */
function statFields(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(') ') + 2).split(' ');
  } catch {
    return null;
  }
}

/**
 * Whether the process runs with that working directory: distinguishes a leftover server from an unrelated process with
 * the same id. Without /proc, its command line must contain the folder.
 */
export function isWorkingIn(pid: number, folder: string): boolean {
  if (!(pid > 0 && isAlive(pid))) return false;
  if (process.platform !== 'linux') {
    const result = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return result.stdout.includes(folder);
  }
  const theirs = statusOf(`/proc/${pid}/cwd`);
  const ours = statusOf(folder);
  return theirs !== null && theirs.ino === ours?.ino && theirs.dev === ours.dev;
}

function statusOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // Ended, or a process of another user.
    return null;
  }
}

/** Sends the signals one by one, with a timeout after each. @returns whether the process ended. */
export async function endProcess(
  pid: number,
  signals: readonly (readonly [signal: NodeJS.Signals, timeoutMs: number])[],
): Promise<boolean> {
  for (const [signal, timeoutMs] of signals) {
    sendSignal(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (isAlive(pid) && Date.now() < deadline) await sleep(END_POLL_MS);
    if (!isAlive(pid)) return true;
  }
  return false;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** The processes of that program with that working directory. Empty if there is no /proc. */
export function processesIn(folder: string, program: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && nameOf(pid) === program && isWorkingIn(pid, folder));
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The error code (`EACCES`, `ENOENT`, ...), or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
