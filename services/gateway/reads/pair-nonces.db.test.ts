import type { PairNonce, Seeds } from '@reelbook/contract/player/fairness';
import type { BetResult } from '@reelbook/contract/player/games';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const bet = async (player: TestPlayer) =>
  (await player.call<BetResult>('/game/slot-machine/bet', { body: { bet_amount: 2 } })).data;
const rotate = (player: TestPlayer) => player.call<Seeds>('/fairness/rotate', { body: {} });

describe('the nonces of a pair of seeds', () => {
  it('have no gaps, each with its round', async () => {
    const player = await site.login();
    const first = [(await bet(player)).round_id, (await bet(player)).round_id];
    await rotate(player);
    const second = [(await bet(player)).round_id];
    const nonces = async (path: string) => {
      const url = `/fairness/seeds/${path}`;
      const { status, data } = await player.call<{ items: PairNonce[]; total: number }>(url);
      const found = status === 200 && data.items.map((one) => [one.nonce, one.round_id]);
      return { total: data?.total, found };
    };
    const ofFirst = { total: 2, found: first.map((id, i) => [i, id]) };
    await expect.poll(() => nonces('1/nonces')).toEqual(ofFirst);
    await expect.poll(() => nonces('2/nonces')).toEqual({ total: 1, found: [[0, second[0]]] });
    const page = (n: number) => nonces(`1/nonces?page=${n}&page_size=1`);
    expect(await page(2)).toEqual({ total: 2, found: [[1, first[1]]] });
    expect(await page(3)).toEqual({ total: 2, found: [] });
    const none = await player.call('/fairness/seeds/3/nonces');
    expect([none.status, none.message]).toEqual([404, 'you have no such pair of seeds']);
    const bad = await player.call('/fairness/seeds/0/nonces');
    expect(bad.status).toBe(400);
  });
});
