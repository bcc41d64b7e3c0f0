import { games } from '@reelbook/games/rules';
import { randomFrom } from '@reelbook/testing/luck-simulation';
import { DEFAULT_SEED } from '@reelbook/testing/seeds';
import { expect, test } from 'vitest';
import { Chances, Luck, thresholdLog } from './luck.ts';

const LARGE = 1_000;
const READ_MAX = 500;

test.each([1_000, 20_000])(
  'names a reader of seeds who had played %i rounds by chance before',
  (rounds) => {
    const random = randomFrom(DEFAULT_SEED);
    const slot = games.find(({ rulesIds }) => rulesIds.includes('slot-1'));
    if (!slot) throw new Error('there is no slot machine');
    const odds = slot.odds('slot-1');
    const [large, small] = [new Chances(odds, 100_000n), new Chances(odds, 100n)];
    const draw = () => {
      let left = random();
      for (const [chance, multiple] of large.rows) {
        left -= chance;
        if (left < 0) return multiple;
      }
      return 0;
    };
    for (let i = 0; i < 20; i++) {
      const luck = new Luck();
      for (let n = 0; n < rounds; n++) luck.settle(luck.stake(LARGE, large), draw());
      const named = () => luck.mostLog >= thresholdLog(1_000_000);
      expect(named()).toBe(false);
      let read = 0;
      for (; read < READ_MAX && !named(); read++) {
        const multiple = draw();
        const staked = multiple > 0 ? luck.stake(LARGE, large) : luck.stake(1, small);
        luck.settle(staked, multiple);
      }
      expect(named(), `after ${read} rounds that were read`).toBe(true);
    }
  },
);
