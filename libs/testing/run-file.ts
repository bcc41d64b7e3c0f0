import { execFile } from 'node:child_process';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';

/** Runs a command of the repository with these settings alone. @returns all it printed and its exit code. */
export function runFile(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly code: number }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [RUN, file, ...args],
      { cwd: REPOSITORY, env: environment },
      (error, out, err) =>
        resolve({ output: `${out}${err}`, code: typeof error?.code === 'number' ? error.code : 0 }),
    );
  });
}
