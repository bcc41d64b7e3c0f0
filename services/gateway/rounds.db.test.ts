import { hash } from 'node:crypto';
import type { ProvenRound } from '@reelbook/contract/player/fairness';
import type { OpenRoundAnswer, Round } from '@reelbook/contract/player/games';
import type { GameConfigs } from '@reelbook/contract/player/public';
import { checkRound } from '@reelbook/games/check';
import { games } from '@reelbook/games/rules';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { toMinor } from '@reelbook/ledger/money';
import {
  betTypesIn,
  end,
  eventsIn,
  play,
  points,
  start,
} from '@reelbook/simulator/client/timed-play';
import { workOut } from '@reelbook/simulator/client/work-out';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const GAMES = ['tetris', 'snake', 'minesweeper'] as const;
/** A short interval, so that abandoned rounds are settled quickly. */
const QUICK = { everyMs: 100, graceMs: 500 };

let site: TestSite;
let slow: TestSite;
let sweeping: TestSite;
beforeAll(async () => {
  site = await startSite();
  sweeping = await startSite({ sweep: QUICK });
  slow = await startSite({ gameTickMs: HOUR_MS });
});
afterAll(async () => {
  await site.close();
  await sweeping.close();
  await slow.close();
});

const eventsOf = (player: TestPlayer, from = site) => eventsIn(from, player);
const typesOf = (player: TestPlayer, from = site) => betTypesIn(from, player);
const untilSettled = (player: TestPlayer) =>
  vi.waitFor(async () => expect((await typesOf(player, sweeping)).length).toBe(2), WAIT);

describe.each(GAMES)('a round of %s', (game) => {
  test('takes the fee, returns its seed, and pays what page and server both compute', async () => {
    const player = await site.login();
    const begun = await start(player, game);
    expect(begun).toMatchObject({ status: 200, data: { game, points_balance: 990 } });
    expect(begun.data.tick_ms).toBe(1);
    const { figures, reward } = workOut(begun.data);
    const ended = await end(player, begun.data);
    expect(ended.status).toBe(200);
    expect(ended.data).toMatchObject({
      round_id: begun.data.round_id,
      figures,
      reward,
      result: reward > 0 ? 'won' : 'lost',
      bet_amount: 10,
      points_balance: 990 + reward,
    });
    expect(ended.data.message).toMatch(reward > 0 ? /恭喜.*You won/ : /很遗憾.*No reward/);
    expect(await typesOf(player)).toEqual(['BetPlaced', reward > 0 ? 'BetWon' : 'BetLost']);
  });

  test('is in the history, statistics, transactions and proofs like a spin', async () => {
    const player = await site.login();
    const { data: begun } = await start(player, game);
    const { data: ended } = await end(player, begun);
    await vi.waitFor(async () => {
      const { data: page } = await player.call<{ items: Round[]; total: number }>(
        `/game/${game}/history`,
      );
      expect(page.items).toMatchObject([
        {
          round_id: begun.round_id,
          type: ended.reward > 0 ? 'game_win' : 'game_loss',
          amount: ended.reward - 10,
          game,
          status: 'completed',
          outcome: ended.outcome,
          position: ended.position,
        },
      ]);
      const { data: all } = await player.call('/game/all/history');
      expect(all).toEqual(page);
      const { data: stats } = await player.call(`/game/${game}/stats`);
      expect(stats).toMatchObject({ total_games: 1, total_bet: 10, total_win: ended.reward });
    }, WAIT);
    const { data: proven } = await player.call<ProvenRound>(`/fairness/rounds/${begun.round_id}`);
    expect(proven).toMatchObject({ game, server_seed: null, outcome: ended.outcome });
    await player.call('/fairness/rotate', { body: {} });
    const { data: open } = await player.call<ProvenRound>(`/fairness/rounds/${begun.round_id}`);
    const round = {
      game,
      rules: open.rules,
      stakeMinor: toMinor('points', open.bet_amount) ?? 0n,
      lines: open.lines,
      serverSeedHash: open.server_seed_hash,
      clientSeed: open.client_seed,
      nonce: open.nonce,
      outcome: open.outcome,
      payoutMinor: toMinor('points', open.win_amount) ?? 0n,
    };
    expect(checkRound(round, open.server_seed ?? '')).toMatchObject({ ok: true });
  });

  test('is pushed to its player: the fee immediately, the result when it ends', async () => {
    const player = await site.login();
    const socket = await openSocket(site.url, player.token);
    await socket.receive('subscribed');
    const { data: begun } = await start(player, game);
    await socket.receive('balance_updated', (data) => data.points_balance === 990);
    const { data: ended } = await end(player, begun);
    expect(await socket.receive('game_result')).toEqual(ended);
    socket.close();
  });

  test('without a start is drawn and settled immediately, regardless of its figures', async () => {
    const player = await site.login();
    const { figures } = workOut((await start(await site.login(), game)).data);
    const played = await play(player, game, figures, 'k');
    expect(played.status).toBe(200);
    expect(played.data.points_balance).toBe(990 + played.data.reward);
    expect(await play(player, game, figures, 'k')).toEqual(played);
    const other = Object.fromEntries(Object.keys(figures).map((name) => [name, figures[name]]));
    expect(await play(player, game, { ...other, score: 123_456 }, 'k')).toMatchObject({
      status: 422,
      data: { error: 'idempotency-key-reused' },
    });
    expect((await typesOf(player)).length).toBe(2);
  });

  test('can be resumed after a reload', async () => {
    const player = await slow.login();
    expect((await player.call<OpenRoundAnswer>(`/game/${game}/round`)).data.round).toBeNull();
    const { data: begun } = await start(player, game, 'k');
    const { stream_version, balance, token_balance, points_balance, position, ...round } = begun;
    const { data: open } = await player.call<OpenRoundAnswer>(`/game/${game}/round`);
    expect(open.round).toEqual({ ...round, elapsed_ms: expect.any(Number) });
    expect(open.round?.elapsed_ms).toBeGreaterThanOrEqual(0);
    expect((await start(player, game, 'k')).data).toEqual(begun);
  });
});

describe('exactly once', () => {
  test('figures sent twice, concurrently and to two gateways, get the same result', async () => {
    const player = await site.login();
    const { data: begun } = await start(player, 'snake');
    const { figures, reward } = workOut(begun);
    const first = await end(player, begun);
    const other = await site.addGateway();
    const again = await Promise.all(
      Array.from({ length: 5 }, () => play(player, 'snake', figures)),
    );
    for (const answer of again) expect(answer).toEqual(first);
    const there = await fetch(`${other.url}/api/v1/game/snake/play`, {
      method: 'POST',
      headers: { authorization: `Bearer ${player.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(figures),
    });
    expect(await there.json()).toMatchObject({ code: 200, data: first.data });
    expect((await typesOf(player)).length).toBe(2);
    expect(await points(player)).toBe(990 + reward);
  });

  test('an abandoned round is settled automatically, and its figures then get that result', async () => {
    const player = await sweeping.login();
    const { data: begun } = await start(player, 'minesweeper');
    const { figures, reward } = workOut(begun);
    await untilSettled(player);
    const events = await eventsOf(player, sweeping);
    expect(events.at(-1)?.meta.actor).toBe('system:gateway');
    const answer = await play(player, 'minesweeper', figures);
    expect(answer).toMatchObject({ status: 200, data: { round_id: begun.round_id, reward } });
    expect((await typesOf(player, sweeping)).length).toBe(2);
  });

  test('rounds that cannot be settled do not block others', async () => {
    await sweeping.database.pool('projector').query(`insert into projections.open_rounds_v1
      select 'stuck-' || n, 'unknown', 'chess', n, '2020-01-01' from generate_series(1, 250) as n`);
    const player = await sweeping.login();
    await start(player, 'minesweeper');
    await untilSettled(player);
  });

  test('a start after the last tick settles the old round first', async () => {
    const player = await site.login();
    const { data: begun } = await start(player, 'tetris');
    const { ticks } = workOut(begun);
    const again = await vi.waitFor(async () => {
      const answer = await start(player, 'tetris');
      expect(answer.status).toBe(200);
      return answer;
    }, WAIT);
    const [placed, ended, next] = (await eventsOf(player)).filter(({ event }) =>
      /^Bet/.test(event.type),
    );
    expect(placed?.event.data).toMatchObject({ round: begun.round_id, timed: { ticks } });
    expect(ended?.event.data).toMatchObject({ round: begun.round_id });
    expect(next?.event.data).toMatchObject({ round: again.data.round_id, nonce: begun.nonce + 1 });
    const lasted = Date.parse(ended?.time ?? '') - Date.parse(placed?.time ?? '');
    expect(lasted).toBeGreaterThanOrEqual(ticks);
  });

  test('many concurrent starts start one round', async () => {
    const player = await slow.login();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => start(player, 'tetris', `k-${i}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await points(player)).toBe(990);
  });
});

test('a start without a body may have the JSON content type', async () => {
  const { token } = await slow.login();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${slow.url}/api/v1/game/tetris/start`;
  const [none, empty, cut] = await Promise.all(
    [undefined, '', '{"a":'].map((body) =>
      fetch(url, { method: 'POST', headers, body: body ?? null }),
    ),
  );
  expect([none?.status, empty?.status].sort()).toEqual([200, 409]);
  expect(cut?.status).toBe(400);
});

test('rules, odds, fee and tick of every game are published', async () => {
  const { data } = await site.call<GameConfigs>('/game/configs');
  expect(Object.keys(data)).toEqual(games.map(({ apiKey }) => apiKey));
  for (const { rules, rules_text: text, rules_hash } of Object.values(data)) {
    expect(text).toMatch(new RegExp(`^rules ${rules}\n`));
    expect(hash('sha256', text)).toBe(rules_hash);
  }
  for (const game of GAMES) {
    expect(data[game]).toMatchObject({ min_bet: 10, max_bet: 10, rules: `${game}-1` });
    expect(data[game].return.percent).toBeGreaterThanOrEqual(94.5);
    expect(data[game].return.percent).toBeLessThanOrEqual(95.5);
    expect(data[game].timed).toMatchObject({ fee: 10, tick_ms: 1, ticks_max: 600 });
  }
  const ends = GAMES.map((game) => data[game].timed?.end_percent);
  expect(ends).toEqual([2, 3, 5]);
  expect(data.slot_machine.timed).toBeNull();
});

test('a short tick is for the local chain only', async () => {
  await expect(startSite({ localChain: false, gameTickMs: 10 })).rejects.toThrow('GAME_TICK_MS');
});
