import { givenPlayer } from '@reelbook/testing/given';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';
import { AMOUNT_MAX_MINOR } from '../money.ts';

describe('a player without limits', () => {
  it('has no protection in the state, and bets without a time', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    expect(player.bet(10)).toMatchObject([{ type: 'BetPlaced' }, { type: 'BetLost' }]);
    expect(player.events.at(-2)?.data).not.toHaveProperty('atMs');
    expect(player.state).not.toHaveProperty('protection');
    expect(player.depositIntent(5)).toBeNull();
  });
  it('who removes a missing limit appends no event', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    expect(player.limit('loss', 'day', null)).toEqual([]);
    expect(player.cancel('loss', 'day')).toBe('no-pending-limit-change');
    expect(player.acknowledge()).toEqual([]);
  });
});

describe('a limit on stakes', () => {
  it('allows staking to the last point left, and no more', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    expect(player.limit('wager', 'day', 100)).toMatchObject([{ type: 'LimitSet' }]);
    expect(player.bet(60)).toHaveLength(2);
    expect(player.bet(41)).toBe('wager-limit-reached');
    expect(player.refusal?.detail).toEqual({
      period: 'day',
      resetsMs: Date.parse('2026-11-22T00:00:00.000Z'),
      limitMinor: 10_000n,
      leftMinor: 4_000n,
    });
    expect(player.bet(40, 500)).toHaveLength(2);
    expect(player.bet(1)).toBe('wager-limit-reached'); // winning gives nothing back
  });

  it.each([
    ['day', '2026-11-21T23:59:59.999Z'],
    ['day', '2028-02-28T23:59:59.999Z'],
    ['day', '2028-02-29T23:59:59.999Z'],
    ['week', '2026-11-22T23:59:59.999Z'],
    ['week', '2026-12-27T23:59:59.999Z'],
    ['month', '2026-11-30T23:59:59.999Z'],
    ['month', '2026-12-31T23:59:59.999Z'],
    ['month', '2028-02-29T23:59:59.999Z'],
    ['month', '2027-02-28T23:59:59.999Z'],
  ] as const)('of a %s restarts after %s, not before', (period, lastTime) => {
    const player = givenPlayer(lastTime);
    player.limit('wager', period, 100);
    expect(player.bet(100)).toHaveLength(2);
    expect(player.bet(1)).toBe('wager-limit-reached');
    player.wait(1);
    expect(player.bet(100)).toHaveLength(2);
    expect(player.bet(1)).toBe('wager-limit-reached');
  });
  it.each([
    ['week', '2026-11-21T23:59:59.999Z'], // Saturday to Sunday
    ['week', '2026-12-31T23:59:59.999Z'], // a Thursday: weeks do not end with a year
    ['month', '2028-02-28T23:59:59.999Z'], // to the leap day
    ['month', '2026-11-22T23:59:59.999Z'],
  ] as const)('of a %s continues after midnight after %s', (period, lastTime) => {
    const player = givenPlayer(lastTime);
    player.limit('wager', period, 100);
    player.bet(100);
    player.wait(1);
    expect(player.bet(1)).toBe('wager-limit-reached');
  });

  it('of 0 allows nothing', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'day', 0);
    expect(player.bet(1)).toBe('wager-limit-reached');
  });
  it('names the limit with the least left', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.limit('wager', 'week', 50);
    player.limit('wager', 'day', 70);
    expect(player.bet(80)).toBe('wager-limit-reached');
    expect(player.refusal?.detail).toMatchObject({ period: 'week', leftMinor: 5_000n });
  });
  it('contains what its window contained before, if it is the first of its kind and period', () => {
    const player = givenPlayer('2026-11-21T23:59:59.999Z');
    player.bet(60);
    const limit = { type: 'SetLimit', kind: 'wager', period: 'day', usedMinor: 6_000n } as const;
    const set = (amountMinor: bigint) =>
      player.decide({ ...limit, nowMs: player.nowMs, amountMinor });
    expect(set(10_000n)).toMatchObject([{ data: { usedMinor: 6_000n } }]);
    expect(player.bet(41)).toBe('wager-limit-reached');
    expect(player.bet(10)).toHaveLength(2);
    // A tighter one goes on counting.
    expect(set(7_100n)).toMatchObject([
      { data: expect.not.objectContaining({ usedMinor: 6_000n }) },
    ]);
    expect(player.bet(2)).toBe('wager-limit-reached');
    expect(player.bet(1)).toHaveLength(2);
    player.wait(1);
    expect(player.bet(71)).toHaveLength(2);
  });
  it.each(['SetLimit', 'SetRealityCheck'] as const)(
    'by %s contains the session before it',
    (type) => {
      const player = givenPlayer('2026-11-21T12:00:00.000Z', { realityCheckMinutes: 30 });
      player.betWithoutTime(60);
      const sinceMs = player.nowMs - 20 * MINUTE_MS;
      const played = { sinceMs, lastMs: player.nowMs, stakedMinor: 6_000n, wonMinor: 500n };
      const { nowMs } = player;
      const set = () =>
        type === 'SetLimit'
          ? player.decide({
              type,
              nowMs: player.nowMs,
              kind: 'wager',
              period: 'day',
              amountMinor: 100_000n,
              played,
            })
          : player.decide({ type, nowMs, everyMs: 30 * MINUTE_MS, realityCheckMs: null, played });
      expect(set()).toMatchObject([{ data: { played } }]);
      player.wait(9 * MINUTE_MS);
      expect(player.bet(1)).toHaveLength(2);
      player.wait(MINUTE_MS);
      expect(player.bet(1)).toBe('reality-check-due');
      expect(player.refusal?.detail).toMatchObject({ minutes: 30, stakedMinor: 6_100n });
      expect(player.acknowledge()).toMatchObject([{ data: { sinceMs, stakedMinor: 6_100n } }]);
      // Followed from then on.
      const again = { type: 'SetLimit', kind: 'loss', period: 'day', amountMinor: 1n } as const;
      expect(player.decide({ ...again, nowMs: player.nowMs, played })).toMatchObject([
        { data: expect.not.objectContaining({ played }) },
      ]);
    },
  );
  it.each([-1n, AMOUNT_MAX_MINOR + 1n])('of %d is refused', (amountMinor) => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    const { nowMs } = player;
    const command = { type: 'SetLimit', nowMs, kind: 'wager', period: 'day', amountMinor } as const;
    expect(player.decide(command)).toBe('limit-amount-invalid');
  });
});

describe('a limit on losses', () => {
  it('counts a stake as lost until it is won back', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('loss', 'day', 100);
    player.bet(100);
    expect(player.bet(1)).toBe('loss-limit-reached');
    const other = givenPlayer('2026-11-21T12:00:00.000Z');
    other.limit('loss', 'day', 100);
    other.bet(100, 70);
    expect(other.bet(71)).toBe('loss-limit-reached');
    expect(other.bet(70, 200)).toHaveLength(2);
    expect(other.bet(201)).toBe('loss-limit-reached'); // 100 and all that was won today
    expect(other.bet(200)).toHaveLength(2);
  });
  it('counts the payout of a later settlement in the window that it arrives in', () => {
    const player = givenPlayer('2026-11-21T23:59:00.000Z');
    player.limit('loss', 'day', 100);
    player.stakeOnly(100);
    expect(player.bet(1)).toBe('loss-limit-reached');
    player.wait(2 * MINUTE_MS);
    player.settle(30); // today: 30 ahead
    expect(player.bet(131)).toBe('loss-limit-reached');
    expect(player.bet(130)).toHaveLength(2);
  });
  it('counts a payout without a time at the time of the event before it', () => {
    const player = givenPlayer('2026-11-21T23:59:00.000Z');
    player.limit('loss', 'day', 100);
    player.stakeOnly(100);
    player.wait(2 * MINUTE_MS);
    const bet = { round: 'p1-1', game: 'test-game', outcome: {}, stakeMinor: 10_000n };
    const after = { pointsMinor: 93_000n, tokenMinor: player.state.tokenMinor };
    player.happened({ type: 'BetWon', data: { ...bet, payoutMinor: 3_000n, after } });
    expect(player.bet(101)).toBe('loss-limit-reached');
    expect(player.bet(100)).toHaveLength(2);
  });
});

describe('a limit on deposits', () => {
  it('refuses the intent and never the credit', () => {
    const player = givenPlayer('2026-11-30T23:59:59.999Z');
    player.limit('deposit', 'month', 100);
    expect(player.depositIntent(100)).toBeNull();
    expect(player.depositIntent(101)).toBe('deposit-limit-reached');
    player.credit(250);
    expect(player.depositIntent(1)).toBe('deposit-limit-reached');
    expect(player.refusal?.detail).toMatchObject({ limitTokenMinor: 100_000_000_000n });
    expect(player.refusal?.detail).toMatchObject({ leftTokenMinor: 0n, period: 'month' });
    expect(player.bet(10)).toHaveLength(2); // a limit on deposits is none on stakes
    player.wait(1);
    expect(player.depositIntent(100)).toBeNull();
  });
});

describe('a deposit on its way', () => {
  it('counts as if it had arrived now, in each window', () => {
    const player = givenPlayer('2026-11-30T12:00:00.000Z');
    player.limit('deposit', 'day', 100);
    player.limit('deposit', 'month', 150);
    player.credit(30);
    expect(player.depositIntent(30, 40)).toBeNull();
    expect(player.depositIntent(31, 40)).toBe('deposit-limit-reached');
    expect(player.refusal?.detail).toMatchObject({ leftTokenMinor: 30_000_000_000n });
    player.wait(DAY_MS);
    expect(player.depositIntent(60, 40)).toBeNull();
    expect(player.depositIntent(61, 40)).toBe('deposit-limit-reached');
    expect(player.depositIntent(1, 500)).toBe('deposit-limit-reached');
    expect(player.refusal?.detail).toMatchObject({ leftTokenMinor: 0n });
  });
  it('does not affect a player without a limit on deposits', () => {
    const player = givenPlayer('2026-11-30T12:00:00.000Z');
    expect(player.depositIntent(5, 1_000)).toBeNull();
    player.limit('wager', 'day', 1);
    expect(player.depositIntent(5, 1_000)).toBeNull();
  });
});

describe('loosening', () => {
  it.each([200, null])('a limit to %j applies after 24 hours, to the millisecond', (amount) => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.bet(100);
    expect(player.limit('wager', 'month', amount)).toMatchObject([
      { data: { fromMs: player.nowMs + DAY_MS } },
    ]);
    player.wait(DAY_MS - 1);
    expect(player.bet(1)).toBe('wager-limit-reached');
    player.wait(1);
    expect(player.bet(100)).toHaveLength(2);
    expect(player.bet(1) === 'wager-limit-reached').toBe(amount !== null);
  });
  it('restarts its delay for another amount, not for the same', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.limit('wager', 'month', 200);
    player.wait(HOUR_MS);
    expect(player.limit('wager', 'month', 200)).toEqual([]);
    player.wait(DAY_MS - HOUR_MS);
    expect(player.bet(200)).toHaveLength(2);
    player.limit('wager', 'month', 300);
    player.wait(DAY_MS - 1);
    player.limit('wager', 'month', 250);
    player.wait(1);
    expect(player.bet(1)).toBe('wager-limit-reached');
    player.wait(DAY_MS - 1);
    expect(player.bet(50)).toHaveLength(2);
    expect(player.bet(1)).toBe('wager-limit-reached');
  });
  it('is cancelled by a tightening', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.limit('wager', 'month', null);
    player.wait(DAY_MS - 1);
    player.limit('wager', 'month', 50);
    player.wait(DAY_MS);
    expect(player.bet(51)).toBe('wager-limit-reached');
    expect(player.bet(50)).toHaveLength(2);
  });
  it('is cancelled by requesting the limit in force', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.limit('wager', 'month', 200);
    expect(player.limit('wager', 'month', 100)).toHaveLength(1);
    player.wait(2 * DAY_MS);
    expect(player.bet(101)).toBe('wager-limit-reached');
  });
  it('can be cancelled until it applies', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.limit('wager', 'month', null);
    player.wait(DAY_MS - 1);
    expect(player.cancel('wager', 'month')).toHaveLength(1);
    expect(player.cancel('wager', 'month')).toBe('no-pending-limit-change');
    player.wait(DAY_MS);
    expect(player.bet(101)).toBe('wager-limit-reached');
    player.limit('wager', 'month', null);
    player.wait(DAY_MS);
    expect(player.cancel('wager', 'month')).toBe('no-pending-limit-change');
    expect(player.bet(101)).toHaveLength(2);
  });
  it('keeps the used amount', () => {
    const player = givenPlayer('2026-11-01T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.bet(80);
    player.limit('wager', 'month', 120);
    player.wait(DAY_MS);
    expect(player.bet(41)).toBe('wager-limit-reached');
    player.limit('wager', 'month', 30); // beneath what was used
    expect(player.bet(1)).toBe('wager-limit-reached');
    expect(player.refusal?.detail).toMatchObject({ leftMinor: 0n });
  });
  it('that is in force makes a lower amount a tightening', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'month', 100);
    player.limit('wager', 'month', 300);
    player.wait(DAY_MS);
    expect(player.limit('wager', 'month', 200)).toMatchObject([{ data: { fromMs: player.nowMs } }]);
    expect(player.bet(201)).toBe('wager-limit-reached');
  });
});
