import { givenPlayer } from '@reelbook/testing/given';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, PERIODS } from '../calendar.ts';
import { fold } from '../decider.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { LIMIT_KINDS } from './protection-events.ts';
import type { Limit } from './protection-state.ts';

const START = Date.parse('2028-02-20T00:00:00.000Z');
/** Times near the ends of days, weeks and months, including a leap day, and any others. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 60 * DAY_MS }),
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(-1, 0, 1))
    .map(([day, by]) => Math.max(0, day * DAY_MS + by)),
);
const limited = { kind: fc.constantFrom(...LIMIT_KINDS), period: fc.constantFrom(...PERIODS) };
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('bet' as const),
      points: fc.integer({ min: 1, max: 60 }),
      payout: fc.constantFrom(0, 0, 0, 1, 40, 150),
      later: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('limit' as const),
      ...limited,
      amount: fc.option(fc.integer({ min: 0, max: 200 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel' as const), ...limited }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('exclude' as const),
      term: fc.constantFrom('24h' as const, '7d' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('back' as const), by: fc.nat(5_000) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('day' as const), by: fc.nat(2) }) },
);
type Action = typeof act extends fc.Arbitrary<infer One> ? One : never;
const schedule = fc.array(fc.tuple(time, act), { minLength: 1, maxLength: 80 });

describe('any schedule', () => {
  it('keeps within every limit in force, by a simple count of its events', () => {
    fc.assert(
      fc.property(schedule, (steps) => {
        const { events, state } = run(steps);
        for (const [index, event] of events.entries()) {
          if (event.type === 'BetPlaced') checkStake(events.slice(0, index + 1));
        }
        expect(fold(playerDecider, events)).toEqual(state);
      }),
      { numRuns: 150 },
    );
  });
  it('never has decreasing times', () => {
    fc.assert(
      fc.property(schedule, (steps) => {
        const times = run(steps).events.flatMap(timeOf);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });
});

/** Times are sorted; `back` goes back a little, as another gateway's clock may. */
function run(steps: readonly (readonly [number, Action])[]) {
  const player = givenPlayer(new Date(START).toISOString());
  const times = steps.map(([time]) => time).sort((a, b) => a - b);
  player.limit('wager', 'day', 100); // from here on time counts
  let owed: number | null = null; // of a round that is settled by the next act
  for (const [index, [, one]] of steps.entries()) {
    player.nowMs = START + (times[index] ?? 0);
    if (owed !== null) player.settle(owed);
    owed = null;
    switch (one.act) {
      case 'bet':
        if (!one.later) player.bet(one.points, one.payout);
        else if (typeof player.stakeOnly(one.points) !== 'string') owed = one.payout;
        break;
      case 'limit':
        player.limit(one.kind, one.period, one.amount);
        break;
      case 'cancel':
        player.cancel(one.kind, one.period);
        break;
      case 'exclude':
        player.exclude(one.term);
        break;
      case 'back':
        player.wait(-one.by);
        player.bet(1);
        break;
      case 'day':
        player.wait(one.by - 1);
        player.bet(2);
        break;
    }
  }
  return player;
}

const timeOf = (event: PlayerEvent): number[] =>
  'atMs' in event.data && event.data.atMs !== undefined ? [event.data.atMs] : [];

/** Counts again, from the events before a stake, what every limit in force at its time has allowed. */
function checkStake(events: readonly PlayerEvent[]): void {
  const atMs = events.flatMap(timeOf).at(-1) ?? 0;
  const excluded = events.findLast((event) => event.type === 'SelfExcluded');
  if (excluded) expect(atMs).toBeGreaterThanOrEqual(excluded.data.untilMs ?? Infinity);
  for (const kind of ['wager', 'loss'] as const) {
    for (const period of PERIODS) {
      const rule = inForce(events, { kind, period }, atMs);
      if (!rule) continue;
      let used = 0n;
      let timeMs = START;
      for (const event of events.slice(rule.since)) {
        timeMs = timeOf(event)[0] ?? timeMs;
        if (windowOf(period, timeMs) !== windowOf(period, atMs)) continue;
        if (event.type === 'BetPlaced') used += event.data.stakeMinor;
        if (event.type === 'BetWon' && kind === 'loss') used -= event.data.payoutMinor;
      }
      expect(used).toBeLessThanOrEqual(rule.amountMinor);
    }
  }
}

/** The amount in force, and the index of the event from which it has counted without interruption. */
function inForce(
  events: readonly PlayerEvent[],
  { kind, period }: Pick<Limit, 'kind' | 'period'>,
  atMs: number,
): { readonly amountMinor: bigint; readonly since: number } | null {
  let held = null as { amountMinor: bigint; since: number } | null;
  let waiting: { amountMinor: bigint | null; fromMs: number } | null = null;
  const ripen = (timeMs: number) => {
    if (!waiting || waiting.fromMs > timeMs) return;
    const { amountMinor } = waiting;
    held = amountMinor === null || !held ? null : { ...held, amountMinor };
    waiting = null;
  };
  for (const [index, event] of events.entries()) {
    ripen(timeOf(event)[0] ?? 0);
    if (event.type !== 'LimitSet' && event.type !== 'LimitChangeCancelled') continue;
    if (event.data.kind !== kind || event.data.period !== period) continue;
    waiting = null;
    if (event.type === 'LimitChangeCancelled') continue;
    const { amountMinor, fromMs, atMs: setMs } = event.data;
    if (fromMs > setMs) {
      expect(fromMs - setMs).toBeGreaterThanOrEqual(DAY_MS);
      waiting = { amountMinor, fromMs };
    } else if (amountMinor !== null) {
      held = { amountMinor, since: held?.since ?? index };
    }
  }
  ripen(atMs);
  return held;
}

function windowOf(period: Limit['period'], timeMs: number): string {
  const date = new Date(timeMs);
  if (period === 'day') return date.toISOString().slice(0, 10);
  if (period === 'month') return date.toISOString().slice(0, 7);
  return new Date(timeMs - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}
