import type { Seeds } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const bet = (player: TestPlayer, amount: number) =>
  player.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: amount } });

describe('a played round', () => {
  test('has a proof immediately, while projections lag', async () => {
    const late = await startSite({ projector: false });
    try {
      const player = await late.login();
      const result = (await bet(player, 10)).data;
      const path = `/fairness/rounds/${result.round_id}`;
      const { round_id, bet_position, position } = result;
      expect(await player.call(path)).toMatchObject({
        status: 200,
        data: {
          round_id,
          bet_position,
          position,
          win_amount: result.win_amount,
          server_seed: null,
        },
      });
      const rotated = await player.call<Seeds>('/fairness/rotate', { body: {} });
      const seeds = await player.call<Seeds>('/fairness/seeds');
      expect(seeds.data).toEqual(rotated.data);
      const { server_seed } = seeds.data.revealed[0] ?? {};
      expect(await player.call(path)).toMatchObject({ data: { server_seed } });
    } finally {
      await late.close();
    }
  });

  test('is in the history, statement, statistics, leaderboards and proof', async () => {
    const player = await site.login();
    const results: BetResult[] = [];
    for (let i = 0; i < 8; i++) results.push((await bet(player, 10)).data);
    const won = results.filter(({ total_win }) => total_win > 0);
    const total = results.reduce((sum, { total_win }) => sum + total_win, 0);
    type History = { items: { round_id: string; amount: number }[]; total: number };
    const history = await until(
      () => player.call<History>('/game/slot-machine/history?page_size=3'),
      ({ data }) => expect(data.total).toBe(8),
    );
    expect(history.data.items.map(({ round_id }) => round_id)).toEqual(
      results
        .slice(-3)
        .reverse()
        .map(({ round_id }) => round_id),
    );
    const second = await player.call<History>('/game/slot-machine/history?page=3&page_size=3');
    expect(second.data.items).toHaveLength(2);
    const stats = await until(
      () => player.call<Record<string, number>>('/game/slot-machine/stats'),
      ({ data }) => expect(data.total_games).toBe(8),
    );
    expect(stats.data).toMatchObject({ total_win: total, total_bet: 80, net: total - 80 });
    expect(stats.data.win_rate).toBeCloseTo((100 * won.length) / 8, 1);
    const statement = await until(
      () => player.call<{ items: { amount: number }[]; total: number }>('/user/transactions'),
      ({ data }) => expect(data.total).toBe(9 + won.length),
    );
    const sum = statement.data.items.reduce((amounts, { amount }) => amounts + amount, 0);
    expect(sum).toBe(results.at(-1)?.points_balance);
    const id = results[0]?.round_id ?? '';
    const open = await player.call(`/fairness/rounds/${id}`);
    expect(open).toMatchObject({ status: 200, data: { round_id: id, server_seed: null } });
    const stranger = await site.login();
    expect((await stranger.call(`/fairness/rounds/${id}`)).status).toBe(404);
    expect((await player.call('/fairness/rounds/no-such')).status).toBe(404);
  });
});

/** Projections lag: polls until the response matches. */
function until<T>(ask: () => Promise<T>, fits: (answer: T) => void): Promise<T> {
  return vi.waitFor(async () => {
    const answer = await ask();
    fits(answer);
    return answer;
  }, WAIT);
}
