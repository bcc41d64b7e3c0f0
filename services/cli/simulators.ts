/** Programs of a checkout that read their words themselves; the image has none of them. */
import { existsSync } from 'node:fs';
import { complain } from '@reelbook/runtime/command';
import type { Command } from '@reelbook/runtime/command-line';

const asCommand = (load: () => Promise<unknown>): Command => ({
  async run(_name, words) {
    process.argv.splice(2, process.argv.length, ...words);
    if (!existsSync(new URL('../../libs/testing', import.meta.url))) {
      process.exitCode = complain('It runs in a checkout of the repository only.');
      return;
    }
    await load();
  },
});

export const demo = asCommand(() => import('@reelbook/testing/demo/main'));
export const crash = asCommand(() => import('@reelbook/testing/crash/main'));
export const trial = asCommand(() => import('@reelbook/testing/trial/main'));
