import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { print } from '@reelbook/runtime/command';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';

const FAULTS_SHOWN_MAX = 20;

/** Prints the verdict on a run, with the faults. @returns whether there are none. */
export function conclude(run: string, sound: string, faults: readonly string[]): boolean {
  for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) print(`FAULT      ${fault}`);
  if (faults.length > 0) print(`FAULTY     ${run}: ${faults.length} faults`);
  else print(`SOUND      ${run}: ${sound}`);
  return faults.length === 0;
}

/** `npm run reelbook -- audit`, on the ledger of these settings; by default the one that the shell's settings name. */
export async function audit(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv | undefined = undefined,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [RUN, 'services/cli/main.ts', 'audit', ...args], {
    ...(env ? { env } : {}),
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', env ? 'ignore' : 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? [] : ['the audit found the ledger faulty, or could not run'];
}
