/** Programs of a checkout that read their words themselves; the image has none of them. */
import type { Command } from '@reelbook/runtime/command-line';

const asCommand = (load: () => Promise<unknown>): Command => ({
  async run(_name, words) {
    process.argv.splice(2, process.argv.length, ...words);
    await load();
  },
});

export const demo = asCommand(() => import('@reelbook/testing/demo/main'));
export const crash = asCommand(() => import('@reelbook/testing/crash/main'));
export const trial = asCommand(() => import('@reelbook/testing/trial/main'));
