import { betTypesIn, end, play, start } from '@reelbook/simulator/client/timed-play';
import { workOut } from '@reelbook/simulator/client/work-out';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Reports the figures with a key until the ticks are over. */
const endBy = (player: TestPlayer, game: string, figures: object, key: string) =>
  vi.waitFor(async () => {
    const answer = await play(player, game, figures, key);
    expect(answer.message).not.toContain('not over yet');
    return answer;
  }, WAIT);

test('a repeated key whose round was settled already started and charged a new round', async () => {
  const player = await site.login();
  const { data: first } = await start(player, 'tetris');
  const { figures } = workOut(first);
  await endBy(player, 'tetris', figures, 'first');
  const played = await play(player, 'tetris', figures, 'second');
  expect(played.status).toBe(200);
  const { data: later } = await start(player, 'tetris');
  await end(player, later);
  const before = await betTypesIn(site, player);
  const again = await play(player, 'tetris', figures, 'second');
  expect(await betTypesIn(site, player)).toEqual(before);
  expect(again).toEqual(played);
});
