/** Commands of the simulator, which parse their own options; only a checkout has them, the image does not. */
import { existsSync } from 'node:fs';
import { complain, type Exit, runCommand } from '@reelbook/runtime/command';
import type { Command } from '@reelbook/runtime/command-line';

const asCommand = (load: () => Promise<{ run(args: string[]): Promise<Exit> }>): Command => ({
  async run(_name, words) {
    if (!existsSync(new URL('../../simulator', import.meta.url))) {
      process.exitCode = complain('It runs in a checkout of the repository only.');
      return;
    }
    const { run } = await load();
    await runCommand(() => run([...words]));
    // A run that failed may leave sockets or child processes open, which would keep this process alive.
    process.exit();
  },
});

export const demo = asCommand(() => import('@reelbook/simulator/commands/demo'));
export const crash = asCommand(() => import('@reelbook/simulator/commands/crash'));
export const trial = asCommand(() => import('@reelbook/simulator/commands/trial'));
