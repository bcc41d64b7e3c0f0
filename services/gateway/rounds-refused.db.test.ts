import { isDeepStrictEqual } from 'node:util';
import type { Seeds } from '@reelbook/contract/player/fairness';
import type { OpenRoundAnswer, StartResult } from '@reelbook/contract/player/games';
import type { Report } from '@reelbook/games/game';
import { betTypesIn, play, points, start } from '@reelbook/simulator/client/timed-play';
import { workOut } from '@reelbook/simulator/client/work-out';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { sellPoints } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let site: TestSite;
let slow: TestSite;
beforeAll(async () => {
  site = await startSite();
  slow = await startSite({ gameTickMs: 60_000 });
});
afterAll(async () => {
  await site.close();
  await slow.close();
});

const typesOf = (player: TestPlayer, from: TestSite) => betTypesIn(from, player);

/** Another player's round of the same game with different figures. Short rounds often end alike. */
async function startUnlike(mine: StartResult): Promise<StartResult> {
  const { data: theirs } = await start(await slow.login(), mine.game);
  const alike = isDeepStrictEqual(workOut(theirs).figures, workOut(mine).figures);
  return alike ? startUnlike(mine) : theirs;
}

describe('refused without effect', () => {
  const wrong = (figures: Report): [string, object, string][] => [
    [
      'a score that the seed does not give',
      { ...figures, score: Number(figures.score) + 1 },
      'do not match the seed',
    ],
    [
      'a game time that is not its ticks',
      { ...figures, game_time: 9_999 },
      'do not match the seed',
    ],
    ['a text', { ...figures, score: '10' }, 'score must be an integer'],
    ['half a point', { ...figures, score: 0.5 }, 'score must be an integer'],
    ['nothing', {}, 'score is missing'],
    ['more than it should be', { ...figures, extra: 1 }, 'extra is not a field of this call'],
  ];

  test('figures that do not match the seed', async () => {
    const player = await slow.login();
    const { data: begun } = await start(player, 'tetris');
    const { figures } = workOut(begun);
    for (const [what, body, phrase] of wrong(figures)) {
      const answer = await play(player, 'tetris', body);
      expect([400, 422], what).toContain(answer.status);
      expect(answer.message, what).toContain(phrase);
    }
    expect(await typesOf(player, slow)).toEqual(['BetPlaced']);
    const { data } = await player.call<OpenRoundAnswer>('/game/tetris/round');
    expect(data.round?.round_id).toBe(begun.round_id);
  });

  test('an end before the last tick', async () => {
    const player = await slow.login();
    const { data: begun } = await start(player, 'snake');
    const answer = await play(player, 'snake', workOut(begun).figures);
    expect(answer.status).toBe(409);
    expect(answer.message).toMatch(
      /^result refused: the round is not over yet; it ends in [\d.]+ s/,
    );
    expect(answer.data).toMatchObject({ error: 'round-too-soon' });
    expect(await typesOf(player, slow)).toEqual(['BetPlaced']);
  });

  test("another player's round: its figures, its proof", async () => {
    const one = await slow.login();
    const { data: mine } = await start(one, 'tetris');
    const theirs = await startUnlike(mine);
    const answer = await play(one, 'tetris', workOut(theirs).figures);
    expect(answer).toMatchObject({ status: 422, data: { error: 'round-differs' } });
    const proof = await one.call(`/fairness/rounds/${theirs.round_id}`);
    expect(proof).toMatchObject({ status: 404, message: 'you have no such round' });
    const { data } = await one.call<OpenRoundAnswer>('/game/tetris/round');
    expect(data.round?.round_id).toBe(mine.round_id);
  });

  test('a second start while the first is not over', async () => {
    const player = await slow.login();
    await start(player, 'minesweeper');
    const again = await start(player, 'minesweeper');
    expect(again.status).toBe(409);
    expect(again.message).toMatch(/^you have an open round of this game/);
    expect(await points(player)).toBe(990);
    expect((await start(player, 'snake')).status).toBe(200);
  });

  test('a rotation while a round is open', async () => {
    const player = await slow.login();
    const { data: before } = await player.call<Seeds>('/fairness/seeds');
    await start(player, 'tetris');
    const answer = await player.call('/fairness/rotate', { body: { client_seed: 'mine' } });
    expect(answer.status).toBe(409);
    expect(answer.message).toBe(
      'seeds cannot rotate while a round is open: end your round of tetris first',
    );
    const { data: after } = await player.call<Seeds>('/fairness/seeds');
    expect(after.active.server_seed_hash).toBe(before.active.server_seed_hash);
    expect(after.revealed).toEqual([]);
  });

  test('a start without the points for the fee', async () => {
    const player = await site.login();
    await sellPoints(site, player, 990.01);
    const answer = await start(player, 'tetris');
    expect(answer.status).toBe(400);
    expect(answer.message).toMatch(
      /^insufficient points balance: you have 9.99 points; this bet needs 10/,
    );
  });

  test.each([
    ['POST', '/game/slot-machine/start', 'slot-machine is played with bet'],
    ['POST', '/game/chess/start', 'there is no such game'],
    ['GET', '/game/slot-machine/round', 'slot-machine is played with bet'],
    ['GET', '/game/chess/history', 'there is no such game'],
  ] as const)('%s %s', async (method, path, message) => {
    const player = await site.login();
    expect(await player.call(path, { method })).toMatchObject({ status: 404, message });
  });

  test('a bet on a timed game', async () => {
    const player = await site.login();
    const answer = await player.call('/game/tetris/bet', { body: { bet_amount: 10 } });
    expect(answer).toMatchObject({ status: 404, message: 'tetris is played with start and play' });
  });
});
