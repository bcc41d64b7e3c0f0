import type { BetResult } from '@reelbook/contract/player/games';
import type { CommandOutcome } from '@reelbook/contract/player/profile';
import {
  betTypesIn,
  end,
  eventsIn,
  play,
  points,
  start,
} from '@reelbook/simulator/client/timed-play';
import { workOut } from '@reelbook/simulator/client/work-out';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { observeTreasury } from '@reelbook/testing/treasury';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const BET = { bet_amount: 10 };

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
  await observeTreasury(site.pool, 1_000_000_000_000n);
});
afterAll(() => site.close());

const bet = (player: TestPlayer, key: string) =>
  player.call<BetResult>('/game/slot-machine/bet', { body: BET, key });
const pathOf = (key: string) => `/user/commands/${encodeURIComponent(key)}`;
const outcomeOf = (player: TestPlayer, key: string) => player.call<CommandOutcome>(pathOf(key));
const discard = (player: TestPlayer, key: string) =>
  player.call<CommandOutcome>(`${pathOf(key)}/discard`, { method: 'POST' });

/** Reports the figures with a key until the ticks are over. */
const endBy = (player: TestPlayer, game: string, figures: object, key: string) =>
  vi.waitFor(async () => {
    const answer = await play(player, game, figures, key);
    expect(answer.message).not.toContain('not over yet');
    return answer;
  }, WAIT);

describe('the outcome of a key', () => {
  test('is none before, and the exact response after, for every command with a key', async () => {
    const player = await site.login();
    const started = await start(player, 'tetris', 'start-1');
    const { figures } = workOut(started.data);
    const played = await endBy(player, 'tetris', figures, 'play-1');
    const exchange = { from_type: 'points', to_type: 'token', amount: 100 };
    const sent = {
      'start-1': started,
      'play-1': played,
      'bet/1%?&': await bet(player, 'bet/1%?&'),
      'swap-1': await player.call('/transaction/exchange', { body: exchange, key: 'swap-1' }),
    };
    for (const [key, answer] of Object.entries(sent)) {
      expect(answer.status, key).toBe(200);
      const { data } = await outcomeOf(player, key);
      expect(data).toEqual({ status: 'done', position: answer.position, result: answer.data });
    }
    expect((await outcomeOf(player, 'k'.repeat(128))).data).toEqual({
      status: 'none',
      position: null,
      result: null,
    });
  });

  test('is visible only to its player, and the query executes nothing', async () => {
    const [anna, bert] = [await site.login(), await site.login()];
    await bet(anna, 'k');
    expect((await outcomeOf(bert, 'k')).data.status).toBe('none');
    const before = (await eventsIn(site, bert)).length;
    for (let i = 0; i < 5; i++) await outcomeOf(bert, `${i}`);
    expect((await eventsIn(site, bert)).length).toBe(before);
    expect((await site.call(pathOf('k'))).status).toBe(401);
    expect((await outcomeOf(anna, 'k'.repeat(129))).status).toBe(400);
  });
});

describe('a discarded key', () => {
  test('a bet that arrived after its key was discarded was placed', async () => {
    const player = await site.login();
    const { data } = await discard(player, 'late');
    expect(data).toMatchObject({ status: 'discarded', result: null });
    expect(await outcomeOf(player, 'late')).toMatchObject({ data });
    expect(await bet(player, 'late')).toMatchObject({
      status: 422,
      data: { error: 'idempotency-key-reused' },
    });
    expect((await start(player, 'snake', 'late')).status).toBe(422);
    expect(await points(player)).toBe(1_000);
    expect(await betTypesIn(site, player)).toEqual([]);
    expect((await discard(player, 'late')).data).toEqual(data);
  });

  test('of a placed bet returns its round and changes nothing', async () => {
    const player = await site.login();
    const placed = await bet(player, 'fast');
    expect((await discard(player, 'fast')).data).toEqual({
      status: 'done',
      position: placed.position,
      result: placed.data,
    });
    expect(await bet(player, 'fast')).toEqual(placed);
  });

  test('races a bet on two gateways: both report either the round or the discarded key', async () => {
    const other = await site.addGateway();
    const player = await site.login();
    const auth = { token: player.token, method: 'POST' };
    const races = Array.from({ length: 20 }, async (_, i) => {
      const key = `race-${i}`;
      const [placed, burnt] = await Promise.all([
        bet(player, key),
        fetch(`${other.url}/api/v1${pathOf(key)}/discard`, {
          method: auth.method,
          headers: { authorization: `Bearer ${auth.token}` },
        }).then(async (reply) => (await reply.json()) as { data: CommandOutcome }),
      ]);
      if (placed.status === 200) expect(burnt.data.result).toEqual(placed.data);
      else expect(burnt.data.status).toBe('discarded');
      expect(burnt.data.status).toBe(placed.status === 200 ? 'done' : 'discarded');
      return placed.status === 200;
    });
    const won = (await Promise.all(races)).filter(Boolean).length;
    const placed = (await betTypesIn(site, player)).filter((type) => type === 'BetPlaced');
    expect(placed.length).toBe(won);
  });
});

describe('/play', () => {
  test('its key repeated after a later round started and charged a new round', async () => {
    const player = await site.login();
    const { data: first } = await start(player, 'tetris');
    const { figures } = workOut(first);
    const played = await endBy(player, 'tetris', figures, 'k');
    const { data: second } = await start(player, 'tetris');
    await end(player, second);
    const before = await betTypesIn(site, player);
    expect(await play(player, 'tetris', figures, 'k')).toEqual(played);
    expect(await betTypesIn(site, player)).toEqual(before);
  });

  test('a late report of an earlier round, with the round id as key, started and charged a new round', async () => {
    const player = await site.login();
    const { data: first } = await start(player, 'minesweeper');
    const { figures } = workOut(first);
    await end(player, first);
    const { data: second } = await start(player, 'minesweeper');
    await end(player, second);
    const before = await betTypesIn(site, player);
    const late = await play(player, 'minesweeper', figures, first.round_id);
    expect(late).toMatchObject({ status: 200, data: { round_id: first.round_id, figures } });
    const other = await play(
      player,
      'tetris',
      workOut((await startOf('tetris')).data).figures,
      first.round_id,
    );
    expect(other.status).toBeGreaterThanOrEqual(400);
    expect(await betTypesIn(site, player)).toEqual(before);
  });

  test('settles once with any keys, and all get the first result', async () => {
    const player = await site.login();
    const { data: round } = await start(player, 'snake');
    const { figures } = workOut(round);
    const [one, two] = await Promise.all([
      endBy(player, 'snake', figures, 'one'),
      endBy(player, 'snake', figures, 'two'),
    ]);
    expect(two.data).toEqual(one.data);
    expect(await betTypesIn(site, player)).toHaveLength(2);
  });
});

const startOf = async (game: string) => start(await site.login(), game);
