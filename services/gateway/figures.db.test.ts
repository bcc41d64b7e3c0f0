/** Every figure that a player is shown of their play, against a count of the ledger's events by this test alone. */
import { auditLedger } from '@reelbook/audit/audit';
import type { SlotStats } from '@reelbook/contract/player/games';
import type { Achievement, User } from '@reelbook/contract/player/profile';
import type { Protection } from '@reelbook/contract/player/protection';
import type { Leader } from '@reelbook/contract/player/public';
import { startExecutor } from '@reelbook/event-store/execute';
import { readStream } from '@reelbook/event-store/read-stream';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { AnyEvent } from '@reelbook/ledger/events';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { betCommand, endCommand, exchangeCommand, startCommand } from '@reelbook/testing/commands';
import { type FakeClock, openFakeClock } from '@reelbook/testing/fake-clock';
import { observeTreasury } from '@reelbook/testing/treasury';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const BREAK_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** Ends of a week and of a month, two days apart, before the Wednesday of the figures. */
const SUNDAY = '2028-02-27T23:58:00.000Z';
const MONDAY = '2028-02-28T00:01:00.000Z';
const TUESDAY = '2028-02-29T23:59:00.000Z';
const WEDNESDAY = '2028-03-01T00:10:00.000Z';
const NOW = '2028-03-01T00:20:00.000Z';

let site: TestSite;
let clock: FakeClock;
beforeAll(async () => {
  site = await startSite({
    // The test ends its rounds itself.
    sweep: { everyMs: 1_000, graceMs: 1e12 },
    async prepare(database) {
      clock = await openFakeClock(database);
      await clock.set('2028-02-26T12:00:00.000Z');
    },
  });
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(() => site.close());

/** Appends what the deciders make of commands, with the payouts of the test. */
async function act(player: TestPlayer, ...makes: ((state: PlayerState) => PlayerCommand)[]) {
  const executor = startExecutor({ pool: site.pool });
  for (const make of makes) {
    const executed = await executor.execute({
      decider: playerDecider,
      stream: playerStream(player.wallet.address),
      idempotencyKey: null,
      request: null,
      meta: { correlation: 'test', actor: 'system:test' },
      async prepare(state) {
        return { command: make(state), configVersion: null };
      },
    });
    expect(executed).toMatchObject({ kind: 'done' });
  }
  await executor.close();
}

const play = () => ({ play: { nowMs: Date.now(), realityCheckMs: null } });
const round = { bigWinMultiple: 4, bigWinMinMinor: 0n };
const bet = (stakeMinor: bigint, payoutMinor: bigint, game = 'slot-machine') => {
  const draw = () => ({ outcome: { symbols: [1, 1, 2] }, payoutMinor });
  const one = { game, stakeMinor, rules: 'slot-1', draw, ...round };
  return (state: PlayerState) => betCommand(state, { ...one, ...play() });
};
const start = (game: string) => (state: PlayerState) =>
  startCommand(state, { game, stakeMinor: 1_000n, ticks: 1, ...play() });
const end = (game: string, payoutMinor: bigint | 'void') => (state: PlayerState) => {
  const ended = endCommand(state, { game, payoutMinor, ...round, ...play() });
  return { ...ended, ...play() } as PlayerCommand;
};
const exchange = (from: 'points' | 'token', amountMinor: bigint) => () =>
  ({ ...exchangeCommand(from, amountMinor), ...play() }) as PlayerCommand;
let deposits = 0;
const deposit = (amountMinor: bigint) => (): PlayerCommand => ({
  type: 'CreditDeposit',
  amountMinor,
  slot: 1,
  from: 'chain',
  nowMs: Date.now(),
  signature: `${++deposits}`.padStart(64, 's'),
  tokenAccount: 'T'.repeat(43),
});
const adjust = (asset: 'points' | 'token', deltaMinor: bigint) => (): PlayerCommand => ({
  type: 'AdjustBalance',
  by: 'operator:test',
  reason: 'a test',
  nowMs: Date.now(),
  asset,
  deltaMinor,
  terms: defaultConfig.adjust,
});
const discard = (idempotencyKey: string) => (): PlayerCommand => ({
  type: 'DiscardCommand',
  idempotencyKey,
});

/** Four days of play, with a round open over each midnight. */
async function playForDays(player: TestPlayer): Promise<void> {
  await clock.set(SUNDAY);
  await act(player, bet(2_500n, 0n), deposit(3n * 10n ** 9n), bet(10_000n, 41_000n));
  await act(player, start('tetris'), exchange('points', 5_000n), discard('one'));
  await clock.set(MONDAY);
  await act(player, end('tetris', 4_000n), bet(300n, 750n), adjust('points', 1_234n));
  await act(player, start('snake'), deposit(5n * 10n ** 8n));
  await clock.set(TUESDAY);
  await act(player, end('snake', 'void'), bet(700n, 0n), start('minesweeper'));
  await clock.set(WEDNESDAY);
  await act(player, end('minesweeper', 0n), deposit(7n * 10n ** 9n), bet(5_000n, 0n));
  await act(player, exchange('token', 10n ** 9n), adjust('points', -234n), discard('two'));
  await act(player, bet(200n, 650n), start('tetris'), start('snake'), end('snake', 'void'));
  await clock.set(NOW);
  await act(player, bet(400n, 0n));
}

/** Day of 1970, then the first day of its week and of its month, all by the calendar of Date. */
function windowsOf(timeMs: number) {
  const day = new Date(timeMs - (timeMs % DAY_MS));
  const monday = day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS;
  const month = Date.UTC(day.getUTCFullYear(), day.getUTCMonth());
  return { day: day.getTime(), week: monday, month };
}

async function recount(player: TestPlayer, nowMs: number) {
  const stream = playerStream(player.wallet.address);
  const recorded = await readStream<AnyEvent>(site.pool, { stream, fromVersion: 1, limit: 1_000 });
  const events = recorded.map(({ event, time }) => {
    const { atMs = Date.parse(time) } = event.data as { atMs?: number };
    return { ...event, atMs } as AnyEvent & { atMs: number };
  });
  const add = (of: (event: (typeof events)[number]) => bigint | undefined, fromMs = 0) =>
    events.reduce((sum, one) => sum + (one.atMs >= fromMs ? (of(one) ?? 0n) : 0n), 0n);
  const staked = (e: AnyEvent) => (e.type === 'BetPlaced' ? e.data.stakeMinor : 0n);
  const won = (e: AnyEvent) => (e.type === 'BetWon' ? e.data.payoutMinor : 0n);
  const back = (e: AnyEvent) => won(e) + (e.type === 'BetVoided' ? e.data.stakeMinor : 0n);
  const deposited = (e: AnyEvent) => (e.type === 'DepositCredited' ? e.data.amountMinor : 0n);
  const points = (minor: bigint) => Number(minor) / 100;

  const stakes = events.filter(({ type }) => type === 'BetPlaced');
  let sinceMs = nowMs;
  for (const { atMs } of stakes.reverse()) {
    if (sinceMs - atMs >= BREAK_MS) break;
    sinceMs = atMs;
  }
  // The first of that time: payouts of the session follow their stakes.
  const first = events.findIndex((e) => e.type === 'BetPlaced' && e.atMs === sinceMs);
  const inSession = (of: typeof back) => events.slice(first).reduce((sum, e) => sum + of(e), 0n);
  const session =
    first < 0 ? { staked: 0n, won: 0n } : { staked: inSession(staked), won: inSession(back) };

  const settled = events.flatMap((e) => (e.type === 'BetWon' || e.type === 'BetLost' ? e : []));
  const gamesOf = (game: string | null) => {
    const own = settled.filter(({ data }) => game === null || data.game === game);
    const paid = own.map((e) => won(e));
    const total = paid.reduce((a, b) => a + b, 0n);
    const bets = own.reduce((sum, { data }) => sum + data.stakeMinor, 0n);
    const wins = paid.filter((minor) => minor > 0n).length;
    return {
      total_games: own.length,
      total_wins: wins,
      win_rate: own.length === 0 ? 0 : Math.round((wins * 10_000) / own.length) / 100,
      total_win: points(total),
      biggest_win: Math.max(0, ...paid.map(points)),
      total_bet: points(bets),
      net: points(total - bets),
    };
  };
  const all = gamesOf(null);
  const starts = windowsOf(nowMs);
  const used = Object.entries(starts).map(([period, fromMs]) => ({
    period,
    wager: points(add(staked, fromMs)),
    loss: points(add((e) => staked(e) - back(e), fromMs)),
    deposit: Number(add(deposited, fromMs)) / 1e9,
  }));
  const balances = events.findLast((e) => 'after' in e.data)?.data as {
    after: { pointsMinor: bigint };
  };
  return {
    session: {
      staked: points(session.staked),
      won: points(session.won),
      net: points(session.won - session.staked),
      began_at: new Date(sinceMs).toISOString(),
      ends_at: new Date((stakes[0]?.atMs ?? 0) + BREAK_MS).toISOString(),
    },
    used,
    gamesOf,
    boards: {
      deposit: all.total_win,
      wins: all.total_wins,
      points: points(balances.after.pointsMinor),
    },
    achievements: {
      'first-win': all.total_wins,
      'lucky-seven': all.total_wins,
      'high-roller': Math.max(0, ...settled.map(({ data }) => points(data.stakeMinor))),
      'slot-master': gamesOf('slot-machine').total_games,
      millionaire: all.total_win,
      veteran: all.total_games,
    },
  };
}

async function expectAllFigures(player: TestPlayer): Promise<void> {
  const ask = async <Data>(path: string) => (await player.call<Data>(path)).data;
  // The gateway reads the clock every second.
  const at = Date.now();
  await expect
    .poll(async () => Date.parse((await ask<Protection>('/user/protection')).time), WAIT)
    .toBeGreaterThanOrEqual(at);
  const protection = await ask<Protection>('/user/protection');
  const counted = await recount(player, Date.parse(protection.time));
  expect(protection.session).toMatchObject(counted.session);
  for (const { limit, period, used, left, amount } of protection.limits) {
    const expected = counted.used.find((one) => one.period === period)?.[limit];
    expect({ limit, period, used }).toEqual({ limit, period, used: expected });
    expect(left).toBeCloseTo(Math.max(0, amount - used), 9);
  }
  await expect
    .poll(async () => {
      const list = await ask<Achievement[]>('/user/achievements');
      return Object.fromEntries(list.map(({ name, reached }) => [name, reached]));
    }, WAIT)
    .toEqual(counted.achievements);
  for (const one of await ask<Achievement[]>('/user/achievements')) {
    expect(one.earned_at !== null, one.name).toBe(one.reached >= one.target);
  }
  for (const game of ['slot-machine', 'tetris', 'snake', 'minesweeper', 'all']) {
    await expect
      .poll(() => ask<SlotStats>(`/game/${game}/stats`), WAIT)
      .toEqual(counted.gamesOf(game === 'all' ? null : game));
  }
  const { total_games: games } = counted.gamesOf(null);
  const figures = { experience: 10 * games, level: Math.floor(games / 10) + 1 };
  expect(await ask<User>('/user/profile')).toMatchObject(figures);
  for (const board of ['deposit', 'wins', 'points'] as const) {
    const own = async () =>
      (await ask<Leader[]>(`/user/leaderboard/${board}`)).find(
        ({ public_id: id }) => id === player.publicId,
      )?.amount;
    await expect.poll(own, WAIT).toBe(counted.boards[board]);
  }
}

test('every figure is that of the events, over the ends of days, a week and a month', async () => {
  const player = await site.login();
  await playForDays(player);
  await expectAllFigures(player);
  // From here on the events have times of their own, and the limits contain what was used before.
  for (const period of ['day', 'week', 'month'] as const) {
    for (const limit of ['loss', 'wager', 'deposit'] as const) {
      const body = { limit, period, amount: limit === 'deposit' ? 50 : 500 };
      const set = await player.call('/user/protection/limits', { method: 'PUT', body });
      expect(set.status).toBe(200);
      await expectAllFigures(player);
    }
  }
  await act(player, end('tetris', 2_000n), bet(100n, 350n), start('snake'), deposit(10n ** 9n));
  await act(player, end('snake', 'void'), exchange('points', 300n));
  await expectAllFigures(player);
  await clock.set('2028-03-02T00:00:00.000Z');
  await act(player, bet(100n, 0n));
  await expectAllFigures(player);
  const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress() {} });
  expect(findings.kept.filter(({ check }) => check === 'protection')).toEqual([]);
});

test("a loss limit below the day's loss is reached, and refuses the next stake", async () => {
  const player = await site.login();
  await act(player, bet(5_000n, 0n));
  const body = { limit: 'loss', period: 'day', amount: 5 };
  const set = await player.call<Protection>('/user/protection/limits', { method: 'PUT', body });
  expect(set.data.limits).toMatchObject([{ amount: 5, used: 50, left: 0 }]);
  expect(set.data.session).toMatchObject({ staked: 50, net: -50 });
  const refused = await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  expect(refused).toMatchObject({ status: 422, data: { error: 'loss-limit-reached', left: 0 } });
});

test('a limit that is set between bets contains those before it, also of the same batch', async () => {
  const player = await site.login();
  const spin = () => player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  const set = (period: string) =>
    player.call<Protection>('/user/protection/limits', {
      method: 'PUT',
      body: { limit: 'wager', period, amount: 1_000 },
    });
  const spins = (n: number) => Array.from({ length: n }, spin);
  await Promise.all([...spins(12), set('day'), ...spins(12), set('week'), ...spins(12)]);
  await expectAllFigures(player);
  const { data } = await player.call<Protection>('/user/protection');
  expect(data.limits.map(({ used }) => used)).toEqual([36, 36]);
});

describe.each([
  ['limit', 'limits', { limit: 'loss', period: 'day', amount: 500 }],
  ['reality check', 'reality-check', { interval_minutes: 10 }],
])('a first %s within a session', (_what, path, body) => {
  const spin = (player: TestPlayer, points: number) =>
    player.call<{ error: string; minutes: number }>('/game/slot-machine/bet', {
      body: { bet_amount: points },
    });
  const read = async (player: TestPlayer) =>
    (await player.call<Protection>('/user/protection')).data;
  const put = (player: TestPlayer, to: string, sent: unknown) =>
    player.call<Protection>(`/user/protection/${to}`, { method: 'PUT', body: sent });
  async function goTo(player: TestPlayer, timeMs: number): Promise<void> {
    await clock.set(new Date(timeMs).toISOString());
    await expect
      .poll(async () => Date.parse((await read(player)).time), WAIT)
      .toBeGreaterThanOrEqual(timeMs);
  }

  test('counts it from its first stake, in the dialog, the refusal and the event', async () => {
    const player = await site.login();
    const begunMs = Date.parse((await read(player)).time);
    await spin(player, 3);
    await goTo(player, begunMs + 8 * MINUTE_MS);
    await spin(player, 4);
    expect((await put(player, path, body)).status).toBe(200);
    const every = await put(player, 'reality-check', { interval_minutes: 15 });
    expect(every.data).toMatchObject({ session: { staked: 7 }, reality_check: { due: false } });
    await spin(player, 5);
    await goTo(player, begunMs + 18 * MINUTE_MS);
    const { reality_check, session } = await read(player);
    expect([reality_check.due, session?.staked]).toEqual([true, 12]);
    const { staked, won, net } = session ?? {};
    const refused = await spin(player, 1);
    expect(refused.data).toMatchObject({ error: 'reality-check-due', staked, won, net });
    expect([17, 18]).toContain(refused.data.minutes);
    await player.call('/user/protection/reality-check/acknowledge', { method: 'POST' });
    const stream = playerStream(player.wallet.address);
    const events = await readStream<AnyEvent>(site.pool, { stream, fromVersion: 1, limit: 100 });
    expect(events.at(-1)?.event).toMatchObject({
      type: 'RealityCheckAcknowledged',
      data: { sinceMs: Date.parse(session?.began_at ?? ''), stakedMinor: 1_200n },
    });
    const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress() {} });
    expect(findings.kept.filter(({ check }) => check === 'protection')).toEqual([]);
  });
});
