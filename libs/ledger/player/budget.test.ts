import { exchangeCommand, rotateCommand, withdrawCommand } from '@reelbook/testing/commands';
import { givenPlayer } from '@reelbook/testing/given';
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../calendar.ts';
import { fold } from '../decider.ts';
import { COSTS, type PlayerCommand } from './commands.ts';
import { playerDecider } from './decide.ts';
import type { ExclusionTerm } from './protection-events.ts';

const UNITS_PER_DAY = 96;
/** A limit from the largest amount down to 0 by halves, three kinds with three periods each. */
const HALVINGS_MAX = 61 * 9;

type Player = ReturnType<typeof givenPlayer>;
const start = () => givenPlayer('2026-03-04T12:00:00Z');

const hash = (n: number) => n.toString(16).padStart(64, '0');
const limit = (amountMinor: bigint) => ({ kind: 'wager', period: 'day', amountMinor }) as const;

/** The n-th act of each type, different from the one before, as a wallet sends it that wants to fill the ledger. */
const ACTS: Readonly<Record<keyof typeof COSTS, (player: Player, n: number) => PlayerCommand>> = {
  ChangeNickname: (_, n) => ({ type: 'ChangeNickname', nickname: `fox ${n}` }),
  RotateSeeds: ({ state }, n) => rotateCommand(state, hash(2 * n + 1_001), hash(2 * n + 1_002)),
  DiscardCommand: (_, n) => ({ type: 'DiscardCommand', idempotencyKey: `key-${n}` }),
  RecordIdempotencyKey: (_, n) => ({
    type: 'RecordIdempotencyKey',
    idempotencyKey: `key-${n}`,
    round: 'p1-1',
  }),
  Exchange: (_, n) =>
    n % 2 === 0 ? exchangeCommand('points', 100n) : exchangeCommand('token', 10_000_000n),
  SetLimit: ({ nowMs }, n) => ({ type: 'SetLimit', nowMs, ...limit(10n ** 18n - BigInt(n)) }),
  SetRealityCheck: ({ nowMs, state }) => ({
    type: 'SetRealityCheck',
    nowMs,
    realityCheckMs: null,
    everyMs: state.protection?.realityCheck?.everyMs ? null : 5 * MINUTE_MS,
  }),
  RequestWithdrawal: () => withdrawCommand(2_000_000_000n),
  StartSession: (_, n) => ({
    type: 'StartSession',
    wallet: '',
    session: `s${n}`,
    registration: null,
  }),
  ReadNotifications: (_, n) => ({ type: 'ReadNotifications', which: n % 2 === 0 ? 'all' : 1 }),
  CancelLimitChange: ({ nowMs }) => ({
    type: 'CancelLimitChange',
    nowMs,
    kind: 'wager',
    period: 'day',
  }),
  AcknowledgeRealityCheck: ({ nowMs }) => ({
    type: 'AcknowledgeRealityCheck',
    nowMs,
    realityCheckMs: null,
  }),
  ExcludeSelf: ({ nowMs, state }) => ({
    type: 'ExcludeSelf',
    term: '24h',
    nowMs: (state.protection?.atMs ?? nowMs) + MINUTE_MS,
  }),
  PlaceBet: () => never(),
  StartRound: () => never(),
  SettleRound: () => never(),
};
const never = (): never => {
  throw new Error('it has a stake');
};

/** As the gateway sends it. */
const act = (player: Player, command: PlayerCommand) =>
  player.decide({ ...command, ...withBudget(player) });
const withBudget = ({ nowMs }: Player) => ({ budget: { nowMs, unitsPerDay: UNITS_PER_DAY } });

/** No act of a test is the same as an earlier one. */
let acts = 0;

/** Acts until one is refused or `max` were not. Withdrawals are paid in between, for they have a limit of their own. */
function exhaust(player: Player, type: keyof typeof COSTS, max = 2_000): number {
  for (let n = 0; n < max; n++) {
    if (type === 'RequestWithdrawal') {
      player.state = {
        ...player.state,
        tokenMinor: 10n ** 12n,
        withdrawals: { count: n, open: [] },
      };
    }
    const decided = act(player, ACTS[type](player, acts++));
    if (decided === 'too-many-free-acts') return n;
    if (typeof decided === 'string') return Number.NaN;
  }
  return max;
}

const counted = Object.entries(COSTS).flatMap(([type, cost]) =>
  typeof cost === 'object' ? [{ type: type as keyof typeof COSTS, ...cost }] : [],
);

it.each(counted)('$type is refused once its days are used up, and possible again later', (one) => {
  const player = start();
  const inTime = (one.days * UNITS_PER_DAY) / one.units;
  expect(exhaust(player, one.type)).toBeGreaterThanOrEqual(inTime);
  // The first of its kind is a tightening, which is not counted.
  expect(player.events.length).toBeLessThanOrEqual(4 + 3 * (inTime + 1));
  const unitMs = (one.units * DAY_MS) / UNITS_PER_DAY;
  expect(player.refusal?.detail).toEqual({ retryMs: player.nowMs + unitMs });
  player.wait(unitMs - 1);
  expect(exhaust(player, one.type)).toBe(0);
  player.wait(1);
  expect(exhaust(player, one.type)).toBe(1);
  player.wait(DAY_MS);
  expect(exhaust(player, one.type)).toBe(UNITS_PER_DAY / one.units);
});

it.each(
  Object.entries(COSTS).flatMap(([type, cost]) =>
    cost === 'bounded' ? [type as keyof typeof COSTS] : [],
  ),
)('%s is never refused for the budget, and soon adds nothing', (type) => {
  const player = start();
  exhaust(player, 'DiscardCommand');
  player.limit('wager', 'day', 100);
  player.limit('wager', 'day', 200);
  player.bet(10);
  player.checkEvery(5);
  player.exclude('24h');
  player.wait(6 * MINUTE_MS);
  const before = player.events.length;
  let added = 0;
  for (let n = 0; n < 1_000; n++) {
    const decided = act(player, ACTS[type](player, n));
    expect(decided).not.toBe('too-many-free-acts');
    if (typeof decided !== 'string' && decided.length > 0) added++;
  }
  expect(player.events.length - before).toBe(added);
  expect(added).toBeGreaterThan(0);
  expect(added).toBeLessThanOrEqual(4);
});

it('refuses no act for those that only a later one in the order, or another budget, may use up', () => {
  const player = start();
  // A holder of a stolen session ...
  for (const type of ['DiscardCommand', 'Exchange', 'SetRealityCheck'] as const) {
    exhaust(player, type);
  }
  expect(act(player, ACTS.DiscardCommand(player, 9_999))).toBe('too-many-free-acts');
  // ... prevents neither a withdrawal nor, with withdrawals, a login.
  expect(exhaust(player, 'RequestWithdrawal')).toBe(UNITS_PER_DAY);
  expect(exhaust(player, 'StartSession')).toBe(UNITS_PER_DAY);
  // Nor a nickname or a rotation.
  expect(exhaust(player, 'ChangeNickname')).toBe(UNITS_PER_DAY);
  expect(act(player, ACTS.RotateSeeds(player, 0))).toBe('too-many-free-acts');
});

it('never refuses an exclusion that protects longer by a day, and bounds shorter ones', () => {
  const player = start();
  exhaust(player, 'DiscardCommand');
  const exclude = (term: ExclusionTerm) =>
    act(player, { type: 'ExcludeSelf', nowMs: player.nowMs, term });
  for (const term of ['24h', '7d', '30d', '180d'] as const) expect(exclude(term)).toHaveLength(1);
  // A minute longer than the one before, for a day.
  let added = 0;
  const { budget } = withBudget(player);
  for (let minute = 0; minute < 24 * 60 - 1; minute++) {
    player.wait(MINUTE_MS);
    const command = { type: 'ExcludeSelf', nowMs: player.nowMs, term: '180d', budget } as const;
    if (typeof player.decide(command) !== 'string') added++;
  }
  expect(added).toBe(0);
  for (let day = 0; day < 3; day++) {
    player.wait(DAY_MS);
    expect(exclude('180d')).toHaveLength(1);
  }
  expect(exclude('permanent')).toHaveLength(1);
});

it('never refuses a limit that halves, which is possible a few times only', () => {
  const player = start();
  exhaust(player, 'DiscardCommand');
  let halvings = 0;
  for (const kind of ['deposit', 'loss', 'wager'] as const) {
    for (const period of ['day', 'week', 'month'] as const) {
      for (let amountMinor = 10n ** 18n; ; amountMinor /= 2n) {
        const { nowMs } = player;
        const set = act(player, { type: 'SetLimit', nowMs, kind, period, amountMinor });
        expect(set).toMatchObject([{ type: 'LimitSet', data: { amountMinor } }]);
        halvings++;
        if (amountMinor === 0n) break;
      }
    }
  }
  expect(halvings).toBeLessThanOrEqual(HALVINGS_MAX);
  player.limit('wager', 'day', null);
  const loosened = { type: 'SetLimit', nowMs: player.nowMs, ...limit(5n) } as const;
  expect(act(player, loosened)).toBe('too-many-free-acts');
});

it('costs nothing where nothing is added, and nothing for operators and the site', () => {
  const player = start();
  act(player, { type: 'ChangeNickname', nickname: 'fox' });
  const { state } = player;
  expect(state).toMatchObject({ freeMs: player.nowMs + DAY_MS / UNITS_PER_DAY });
  expect(act(player, { type: 'ChangeNickname', nickname: 'fox' })).toEqual([]);
  expect(act(player, { type: 'ChangeNickname', nickname: '' })).toBe('nickname-empty');
  expect(player.state).toEqual(state);
  for (let n = 0; n < 2_000; n++) {
    const { nowMs } = player;
    const set = { type: 'SetLimit', nowMs, ...limit(10n ** 18n - BigInt(n)) } as const;
    expect(player.decide({ ...set, operatorReason: 'a test' })).toHaveLength(1);
  }
  expect(player.state).toMatchObject({ freeMs: state.freeMs });
  expect(player.state.budgetMs).toBe(state.budgetMs);
});

it('gives a unit back with each round', () => {
  const player = start();
  expect(exhaust(player, 'ChangeNickname')).toBe(UNITS_PER_DAY);
  expect(exhaust(player, 'DiscardCommand')).toBe(8 * UNITS_PER_DAY);
  player.bet(10);
  player.stakeOnly(10);
  player.settle(0);
  expect(exhaust(player, 'ChangeNickname')).toBe(2);
  expect(exhaust(player, 'DiscardCommand')).toBe(2);
  // More rounds than acts save up nothing.
  for (let n = 0; n < 9 * UNITS_PER_DAY; n++) expect(player.bet(1)).toHaveLength(2);
  expect(exhaust(player, 'ChangeNickname')).toBe(UNITS_PER_DAY);
  expect(exhaust(player, 'DiscardCommand')).toBe(8 * UNITS_PER_DAY);
});

it('follows from the events alone, whatever the terms and the clock were', () => {
  const player = start();
  for (const [n, unitsPerDay] of [1, 96, 7, 1_000].entries()) {
    const budget = { nowMs: player.nowMs - n * MINUTE_MS, unitsPerDay };
    player.decide({ type: 'DiscardCommand', idempotencyKey: `key-${n}`, budget });
    player.bet(1);
  }
  expect(fold(playerDecider, player.events)).toEqual(player.state);
  // A clock that is late regains nothing.
  const { budgetMs = 0 } = player.state;
  const late = { nowMs: player.nowMs - DAY_MS, unitsPerDay: 96 };
  player.decide({ type: 'DiscardCommand', idempotencyKey: 'late', budget: late });
  expect(player.state.budgetMs).toBe(budgetMs + DAY_MS / 96);
});

it('forgets what a clock recorded that was days ahead', () => {
  const player = start();
  player.wait(365 * DAY_MS);
  exhaust(player, 'StartSession');
  exhaust(player, 'ChangeNickname');
  player.wait(-365 * DAY_MS);
  expect(exhaust(player, 'ChangeNickname')).toBe(UNITS_PER_DAY);
  expect(exhaust(player, 'DiscardCommand')).toBe(8 * UNITS_PER_DAY);
  expect(Object.values(COSTS).every((cost) => typeof cost === 'string' || cost.days < 11)).toBe(
    true,
  );
});
