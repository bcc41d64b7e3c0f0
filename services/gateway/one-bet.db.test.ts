import type { BetResult } from '@reelbook/contract/player/slot';
import { startSite } from '@reelbook/simulator/stages/site';
import { filesCalled, inOrderOfImports } from '@reelbook/testing/called-files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const FILES_MAX = 35;
/** Enough that a win and a loss are among them. */
const BETS_MAX = 1_000;
const FAR_OFF_MS = 2 ** 30;

// What a gateway does by the clock is not on the way of a bet.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test(`a bet passes at most ${FILES_MAX} files from its route to the ledger and back, each import downwards`, async ({
  annotate,
}) => {
  const sweep = { everyMs: FAR_OFF_MS, graceMs: FAR_OFF_MS };
  const site = await startSite({ publisher: false, projector: false, sweep });
  try {
    const player = await site.login();
    const results = new Set<string>();
    let bets = 0;
    const bet = async () => {
      const key = `one-bet-${bets++}`;
      const { data, status } = await player.call<BetResult>('/game/slot-machine/bet', {
        body: { bet_amount: 1 },
        key,
      });
      expect(status).toBe(200);
      results.add(data.win_amount > 0 ? 'won' : 'lost');
    };
    await bet();
    results.clear();
    const files = await filesCalled(async () => {
      while (results.size < 2 && bets < BETS_MAX) await bet();
    });
    expect(results.size).toBe(2);
    const way = inOrderOfImports(files);
    await annotate(`${way.length} files\n${way.join('\n')}`);
    expect(way).toContain('services/gateway/commands/place-bet.ts');
    expect(way).toContain('libs/ledger/player/rounds.ts');
    expect(way).toContain('libs/event-store/append.ts');
    expect(way.length, way.join('\n')).toBeLessThanOrEqual(FILES_MAX);
  } finally {
    await site.close();
  }
});
