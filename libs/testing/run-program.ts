import { type Program, runProgram } from '@reelbook/runtime/command';
import { vi } from 'vitest';

interface Ran {
  readonly output: string;
  readonly code: number;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process with these settings alone, after those that were begun before it.
 * @returns all it printed and its exit code.
 */
export function runInProcess(
  program: Program,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const ran = last.then(() => run(program, words, environment));
  last = ran.catch(() => {});
  return ran;
}

async function run(
  program: Program,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { env, exitCode } = process;
  let output = '';
  const take = (text: unknown) => {
    output += text;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(take),
    vi.spyOn(process.stderr, 'write').mockImplementation(take),
    // A command listens for the end of its reader until the process ends.
    vi.spyOn(process.stdout, 'on').mockReturnThis(),
    vi.spyOn(process, 'exit').mockImplementation(() => undefined as never),
  ];
  process.env = { ...environment };
  process.exitCode = undefined;
  try {
    await runProgram(program, words);
    return { output, code: Number(process.exitCode ?? 0) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = env;
    process.exitCode = exitCode;
  }
}
