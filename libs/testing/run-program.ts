import { type Program, runProgram } from '@reelbook/runtime/command-line';
import { vi } from 'vitest';

/** Runs a command in this process with these settings alone. @returns all it printed and its exit code. */
export async function runInProcess(
  program: Program,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly code: number }> {
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
