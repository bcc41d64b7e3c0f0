import type { BetResult } from '@reelbook/contract/player/slot';
import { startSite } from '@reelbook/simulator/stages/site';
import { inOrderOfImports, startCallCounter } from '@reelbook/testing/called-files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const FILES_MAX = 36;
/** Number of wins and losses sampled; the one with the fewest files counts, because periodic work is not part of a bet. */
const BETS_OF_EACH = 3;
/** Enough bets for that many wins. */
const BETS_MAX = 1_000;
const FAR_OFF_MS = 2 ** 30;

type Files = readonly string[];

function fewest(ways: readonly Files[]): Files {
  const [first] = ways.toSorted((a, b) => a.length - b.length);
  if (!first) throw new Error('no such bet was played');
  return first;
}

// Timers of the gateway are not on the path of a bet.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test(`a bet passes at most ${FILES_MAX} files from its route to the ledger and back, each import downwards`, async ({
  annotate,
}) => {
  const sweep = { everyMs: FAR_OFF_MS, graceMs: FAR_OFF_MS };
  const site = await startSite({ publisher: false, projector: false, sweep });
  const counter = await startCallCounter();
  try {
    const player = await site.login();
    let bets = 0;
    const bet = async () => {
      const { data, status } = await player.call<BetResult>('/game/slot-machine/bet', {
        body: { bet_amount: 1 },
        key: `one-bet-${bets++}`,
      });
      expect(status).toBe(200);
      return data.win_amount > 0 ? 'won' : 'lost';
    };
    await bet();
    const ways = { won: [] as Files[], lost: [] as Files[] };
    while (Math.min(ways.won.length, ways.lost.length) < BETS_OF_EACH && bets < BETS_MAX) {
      const { result, files } = await counter.filesCalled(bet);
      ways[result].push(files);
    }
    const files = new Set([...fewest(ways.won), ...fewest(ways.lost)]);
    const way = inOrderOfImports([...files]);
    await annotate(`${way.length} files\n${way.join('\n')}`);
    expect(way).toContain('services/gateway/commands/place-bet.ts');
    expect(way).toContain('libs/ledger/player/rounds.ts');
    expect(way).toContain('libs/event-store/append.ts');
    expect(way.length, way.join('\n')).toBeLessThanOrEqual(FILES_MAX);
  } finally {
    counter.close();
    await site.close();
  }
});
