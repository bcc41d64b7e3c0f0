import { auditLedger } from '@reelbook/audit/audit';
import type { StartResult } from '@reelbook/contract/player/games';
import type { Protection } from '@reelbook/contract/player/protection';
import { call as callAt } from '@reelbook/simulator/client/api';
import { workOut } from '@reelbook/simulator/client/work-out';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { type FakeClock, notOfFakeClock, openFakeClock } from '@reelbook/testing/fake-clock';
import { observeTreasury } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = '2028-02-28T12:00:00.000Z';

let site: TestSite;
let clock: FakeClock;
let other: string;
beforeAll(async () => {
  site = await startSite({
    async prepare(database) {
      clock = await openFakeClock(database);
      await clock.set(START);
    },
  });
  other = (await site.addGateway()).url;
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(() => site.close());

interface Failed {
  readonly error: string;
  readonly [figure: string]: unknown;
}
const bet = (player: TestPlayer, points: number) =>
  player.call<Failed>('/game/slot-machine/bet', { body: { bet_amount: points } });
const put = (player: TestPlayer, path: string, body: unknown) =>
  player.call<Protection & Failed>(`/user/protection/${path}`, { method: 'PUT', body });
const post = (player: TestPlayer, path: string, body: unknown) =>
  player.call<Protection & Failed>(`/user/protection/${path}`, { method: 'POST', body });
const read = async (player: TestPlayer) => (await player.call<Protection>('/user/protection')).data;

/** The same player on the other gateway. */
const elsewhere = (player: TestPlayer): TestPlayer => ({
  ...player,
  call: (path, options) => callAt(other, path, { token: player.token, ...options }),
});

/** Sets the clock of the ledger, and waits until both gateways use it. */
async function goTo(player: TestPlayer, time: string): Promise<void> {
  await clock.set(time);
  for (const seat of [player, elsewhere(player)]) {
    await expect.poll(async () => (await read(seat)).time >= time).toBe(true);
  }
}

describe('limits', () => {
  test('are enforced over HTTP, reset with the day, and can be raised after 24 hours', async () => {
    await clock.set(START);
    const player = await site.login();
    await goTo(player, START);
    expect(
      (await put(player, 'limits', { limit: 'wager', period: 'day', amount: 20 })).data,
    ).toMatchObject({
      limits: [
        {
          limit: 'wager',
          period: 'day',
          amount: 20,
          used: 0,
          left: 20,
          resets_at: '2028-02-29T00:00:00.000Z',
          pending: null,
        },
      ],
      session: null,
    });
    expect((await bet(player, 15)).status).toBe(200);
    const refused = await bet(player, 6);
    expect(refused).toMatchObject({
      status: 422,
      message:
        'this exceeds your own stakes limit of 20 points within a day: 5 points left until 2028-02-29 00:00 UTC',
      data: {
        error: 'wager-limit-reached',
        period: 'day',
        limit: 20,
        left: 5,
        resets_at: '2028-02-29T00:00:00.000Z',
      },
    });
    const loosened = await put(player, 'limits', { limit: 'wager', period: 'day', amount: null });
    const [limit] = loosened.data.limits;
    expect(limit).toMatchObject({ amount: 20, used: 15, pending: { amount: null } });
    const holdsFrom = limit?.pending?.holds_from ?? '';
    expect(Date.parse(holdsFrom) - Date.parse(START)).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect((await bet(player, 6)).status).toBe(422);

    await goTo(player, '2028-02-29T00:00:00.000Z');
    expect((await bet(player, 20)).status).toBe(200);
    expect((await bet(elsewhere(player), 1)).status).toBe(422);
    expect((await read(player)).session).toMatchObject({ staked: 20 });
    await goTo(player, holdsFrom);
    expect((await read(player)).limits).toEqual([]);
    expect((await bet(player, 100)).status).toBe(200);
    const nothing = await post(player, 'limits/cancel', { limit: 'wager', period: 'day' });
    expect(nothing).toMatchObject({ status: 404, message: 'this limit has no pending change' });
  });

  test('with a pending change can keep the old value', async () => {
    const player = await site.login();
    await put(player, 'limits', { limit: 'loss', period: 'week', amount: 10.5 });
    await put(player, 'limits', { limit: 'loss', period: 'week', amount: 50 });
    const { data } = await post(player, 'limits/cancel', { limit: 'loss', period: 'week' });
    expect(data.limits).toMatchObject([{ amount: 10.5, pending: null }]);
    expect(await bet(player, 11)).toMatchObject({
      status: 422,
      data: { error: 'loss-limit-reached', left: 10.5 },
    });
  });

  test('are not exceeded by parallel bets on two gateways', async () => {
    const player = await site.login();
    await put(player, 'limits', { limit: 'wager', period: 'month', amount: 100 });
    const seats = [player, elsewhere(player)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => bet(seats[index % 2] as TestPlayer, 10)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 422)).toHaveLength(30);
    expect((await read(player)).limits).toMatchObject([{ used: 100, left: 0 }]);
  });
});

const intend = (player: TestPlayer, amount: number) =>
  player.call<Failed>('/transaction/deposit-intent', { body: { amount } });

test('a limit on deposits refuses the intent, before any wallet sends', async () => {
  const player = await site.login();
  expect(await intend(player, 1_000_000)).toMatchObject({ status: 200, data: { success: true } });
  await put(player, 'limits', { limit: 'deposit', period: 'day', amount: 50 });
  expect((await intend(player, 50)).status).toBe(200);
  expect(await intend(elsewhere(player), 50.000000001)).toMatchObject({
    status: 422,
    message: expect.stringMatching(
      /^this exceeds your own deposit limit of 50 BSM within a day: 50 BSM left/,
    ),
    data: { error: 'deposit-limit-reached' },
  });
  expect((await intend(player, 0.5)).message).toContain('below minimum deposit');
  expect((await intend(player, 1_000_001)).message).toContain('exceeds maximum deposit');
});

describe('self-exclusion', () => {
  test('ends play immediately on every gateway, and nothing else', async () => {
    const player = await site.login();
    const seat = elsewhere(player);
    const stranger = await site.login();
    await player.call('/transaction/exchange', {
      body: { from_type: 'points', to_type: 'token', amount: 100 },
    });
    const socket = await openSocket(site.url, player.token);
    await socket.receive('subscribed');
    const bets = Array.from({ length: 20 }, () => bet(seat, 1));
    const excluded = await post(player, 'exclusion', { term: '7d' });
    expect(excluded.status).toBe(200);
    expect(await intend(seat, 5)).toMatchObject({ status: 403, data: { error: 'self-excluded' } });
    for (const answer of await Promise.all(bets)) {
      if (answer.status === 200) {
        expect(answer.position ?? 0).toBeLessThan(excluded.position ?? 0);
      } else expect(answer.data.error).toBe('self-excluded');
    }
    const refused = await bet(seat, 1);
    expect(refused).toMatchObject({ status: 403, data: { error: 'self-excluded' } });
    expect(refused.message).toMatch(/^you excluded yourself from play until 20\d\d-\d\d-\d\d/);
    expect(refused.data.until_at).toBe(excluded.data.exclusion?.until);
    for (const game of ['tetris', 'snake', 'minesweeper']) {
      const { data } = await stranger.call<StartResult>(`/game/${game}/start`, { method: 'POST' });
      const { figures } = workOut(data);
      for (const options of [{ body: figures }, { body: figures, key: data.round_id }]) {
        const played = await seat.call<Failed>(`/game/${game}/play`, options);
        expect(played).toMatchObject({ status: 403, data: { error: 'self-excluded' } });
      }
      const started = await seat.call<Failed>(`/game/${game}/start`, { method: 'POST' });
      expect(started).toMatchObject({ status: 403, data: { error: 'self-excluded' } });
    }
    const buy = { from_type: 'token', to_type: 'points', amount: 0.5 };
    expect(await seat.call('/transaction/exchange', { body: buy })).toMatchObject({
      status: 403,
      data: { error: 'self-excluded' },
    });
    const sell = { from_type: 'points', to_type: 'token', amount: 5 };
    expect((await seat.call('/transaction/exchange', { body: sell })).status).toBe(200);
    expect((await seat.call('/user/balance')).status).toBe(200);
    expect((await site.login(player.wallet)).publicId).toBe(player.publicId);
    expect(await post(seat, 'exclusion', { term: '24h' })).toMatchObject({
      status: 422,
      data: { error: 'exclusion-not-shortened' },
    });
    const notification = await socket.receive(
      'notification',
      ({ title }) => title === 'Self-exclusion',
    );
    expect(notification.content).toContain('You can always withdraw');
    socket.close();
    expect((await post(seat, 'exclusion', { term: 'permanent' })).data.exclusion).toEqual({
      until: null,
    });
    expect((await bet(player, 1)).message).toMatch(/^you excluded yourself from play for good;/);
  });
});

describe('a reality check', () => {
  test('stops play after its interval until it is acknowledged', async () => {
    const player = await site.login();
    const begun = Date.parse((await read(player)).time);
    expect((await put(player, 'reality-check', { interval_minutes: 10 })).data).toMatchObject({
      reality_check: { interval_minutes: 10, chosen_by: 'player', due: false, next_at: null },
    });
    await bet(player, 5);
    await goTo(player, new Date(begun + 5 * MINUTE_MS).toISOString());
    expect((await bet(player, 5)).status).toBe(200);
    await goTo(player, new Date(begun + 14 * MINUTE_MS).toISOString());
    const { reality_check, session } = await read(player);
    expect(reality_check.due).toBe(true);
    expect(session).toMatchObject({ staked: 10 });
    const refused = await bet(elsewhere(player), 5);
    expect(refused).toMatchObject({
      status: 422,
      data: { error: 'reality-check-due', staked: 10 },
    });
    expect(refused.message).toMatch(
      /^reality check: you have played for \d+ minutes, staked 10 points and won /,
    );
    expect((await put(player, 'reality-check', { interval_minutes: null })).status).toBe(422);
    const done = await post(elsewhere(player), 'reality-check/acknowledge', undefined);
    expect(done.data.reality_check.due).toBe(false);
    expect((await bet(player, 5)).status).toBe(200);
  });
});

test('the session of a player without protection settings is computed from the ledger', async () => {
  const player = await site.login();
  expect(await read(player)).toMatchObject({ limits: [], exclusion: null, session: null });
  let won = 0;
  for (let spin = 0; spin < 5; spin++) {
    const { data } = await bet(player, 2);
    won += (data as unknown as { win_amount: number }).win_amount;
  }
  expect((await read(player)).session).toMatchObject({ staked: 10, won, net: won - 10 });
  const later = Date.parse((await read(player)).time) + 15 * MINUTE_MS;
  await goTo(player, new Date(later).toISOString());
  expect((await read(player)).session).toBeNull();
});

test('the session goes on when the first limit is set', async () => {
  const player = await site.login();
  await bet(player, 3);
  const set = await put(player, 'limits', { limit: 'loss', period: 'day', amount: 500 });
  expect(set.data.session).toMatchObject({ staked: 3 });
  await bet(player, 4);
  expect((await read(player)).session).toMatchObject({ staked: 7 });
});

describe('bad input', () => {
  const NO_AMOUNT =
    'a limit must be 0 or more, with at most 2 decimals of points or 9 of BSM, or null to remove it';
  const bad: [string, string, unknown, string][] = [
    ['PUT', 'limits', {}, 'limit is missing'],
    ...(
      [
        [{ limit: 'time' }, 'limit must be one of deposit, loss, wager'],
        [{ period: 'year' }, 'period must be one of day, week, month'],
        [{ amount: undefined }, 'amount is missing'],
        [{ amount: '5' }, 'amount must be a number or null'],
        [{ x: 1 }, 'x is not a field of this call'],
        ...[-1, 0.001, 1e300].map((amount) => [{ amount }, NO_AMOUNT] as const),
      ] as const
    ).map(([bent, words]): [string, string, unknown, string] => {
      return ['PUT', 'limits', { limit: 'loss', period: 'day', amount: 1, ...bent }, words];
    }),
    ['POST', 'limits/cancel', { limit: 'loss' }, 'period is missing'],
    ['POST', 'exclusion', { term: '1h' }, 'term must be one of 24h, 7d, 30d, 180d, permanent'],
    ['POST', 'exclusion', {}, 'term is missing'],
    [
      'PUT',
      'reality-check',
      { interval_minutes: 'x' },
      'interval_minutes must be an integer or null',
    ],
    [
      'PUT',
      'reality-check',
      { interval_minutes: 7.5 },
      'interval_minutes must be an integer or null',
    ],
    ...[0, -5, 4, 1_441].map((interval_minutes): [string, string, unknown, string] => [
      'PUT',
      'reality-check',
      { interval_minutes },
      'the interval of the reality check must be an integer from 5 to 1440 minutes, or null for none',
    ]),
  ];
  let player: TestPlayer;
  beforeAll(async () => {
    player = await site.login();
  });
  it.each(bad)('%s %s %j is refused in words', async (method, path, body, message) => {
    const answer = await player.call<Failed>(`/user/protection/${path}`, {
      method: method as 'PUT' | 'POST',
      body,
    });
    expect(answer).toMatchObject({ status: 400, message });
    expect(await read(player)).toMatchObject({ limits: [], exclusion: null });
  });
});

test('the audit has checked the events and has no findings', async () => {
  const { findings, events } = await auditLedger({ pool: site.pool, vault: null, onProgress() {} });
  expect(findings.kept.filter(notOfFakeClock)).toEqual([]);
  expect(events).toBeGreaterThan(50);
});
