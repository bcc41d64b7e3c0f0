import { givenPlayer } from '@reelbook/testing/given';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';
import { PLAY_BREAK_MS } from './protection-state.ts';

describe('self-exclusion', () => {
  it.each([
    ['24h', 1],
    ['7d', 7],
    ['30d', 30],
    ['180d', 180],
  ] as const)(
    'of %s refuses stakes, points and deposits until its last millisecond',
    (term, days) => {
      const player = givenPlayer('2028-02-28T12:00:00.000Z');
      expect(player.exclude(term)).toMatchObject([
        { type: 'SelfExcluded', data: { untilMs: player.nowMs + days * DAY_MS } },
      ]);
      const until = player.nowMs + days * DAY_MS;
      const refused = () => {
        expect(player.bet(1)).toBe('self-excluded');
        expect(player.refusal?.detail).toEqual({ untilMs: until });
        expect(player.depositIntent(1)).toBe('self-excluded');
        expect(player.exchange('token', 1)).toBe('self-excluded');
      };
      refused();
      player.wait(days * DAY_MS - 1);
      refused();
      player.wait(1);
      expect(player.bet(1)).toHaveLength(2);
      expect(player.depositIntent(1)).toBeNull();
      expect(player.exchange('token', 1)).toHaveLength(1);
    },
  );
  it('without a term is permanent', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.exclude('permanent');
    player.wait(40_000 * DAY_MS);
    expect(player.bet(1)).toBe('self-excluded');
    expect(player.refusal?.detail).toEqual({});
    expect(player.exclude('180d')).toBe('exclusion-not-shortened');
    expect(player.exclude('permanent')).toEqual([]);
  });
  it('can be made longer and never shorter', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.exclude('7d');
    expect(player.exclude('7d')).toEqual([]); // pressed twice
    expect(player.exclude('24h')).toBe('exclusion-not-shortened');
    player.wait(6 * DAY_MS);
    expect(player.exclude('24h')).toEqual([]); // ends at the same time
    player.wait(59_999);
    expect(player.exclude('24h')).toEqual([]);
    player.wait(1);
    expect(player.exclude('24h')).toHaveLength(1);
    expect(player.exclude('permanent')).toHaveLength(1);
  });
  it('allows exchanging points for token, and open rounds are paid', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.stakeOnly(100);
    player.exclude('permanent');
    player.wait(HOUR_MS);
    player.settle(500);
    expect(player.state.pointsMinor).toBe(140_000n);
    expect(player.exchange('points', 1_400)).toHaveLength(1);
    player.credit(5);
    expect(player.state.tokenMinor).toBe(29_000_000_000n);
    expect(player.login()).toHaveLength(1);
    expect(player.limit('wager', 'day', 10)).toHaveLength(1);
  });
  it('is notified', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.exclude('24h');
    expect(player.notifications().at(-1)).toMatchObject({
      kind: 'self-excluded',
      facts: { until: { atMs: Date.parse('2026-11-22T12:00:00.000Z') } },
    });
    player.exclude('permanent');
    expect(player.notifications().at(-1)).toMatchObject({
      kind: 'self-excluded-for-good',
      facts: {},
    });
  });
});

describe('a reality check', () => {
  it('stops play when its interval has passed, until it is acknowledged', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    expect(player.checkEvery(30)).toHaveLength(1);
    player.bet(10);
    player.wait(10 * MINUTE_MS);
    player.bet(20, 25);
    player.wait(10 * MINUTE_MS);
    player.bet(5);
    player.wait(10 * MINUTE_MS - 1);
    expect(player.bet(1)).toHaveLength(2);
    player.wait(1);
    expect(player.bet(1)).toBe('reality-check-due');
    expect(player.refusal?.detail).toEqual({
      minutes: 30,
      stakedMinor: 3_600n,
      wonMinor: 2_500n,
      netMinor: -1_100n,
    });
    const { nowMs } = player;
    expect(player.acknowledge()).toEqual([
      {
        type: 'RealityCheckAcknowledged',
        data: {
          atMs: nowMs,
          sinceMs: nowMs - 30 * MINUTE_MS,
          stakedMinor: 3_600n,
          wonMinor: 2_500n,
        },
      },
    ]);
    expect(player.acknowledge()).toEqual([]); // from another device
    expect(player.bet(1)).toHaveLength(2);
    player.wait(10 * MINUTE_MS);
    player.bet(1);
    player.wait(20 * MINUTE_MS - PLAY_BREAK_MS);
    player.bet(1);
    player.wait(PLAY_BREAK_MS - 1);
    expect(player.bet(1)).toHaveLength(2);
    player.wait(1);
    expect(player.bet(1)).toBe('reality-check-due');
  });
  it('belongs to a session, which a break ends', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.checkEvery(5);
    player.bet(10);
    player.wait(PLAY_BREAK_MS - 1);
    expect(player.bet(1)).toBe('reality-check-due');
    player.wait(1);
    expect(player.bet(1)).toHaveLength(2);
    expect(player.state.protection?.play).toMatchObject({
      sinceMs: player.nowMs,
      stakedMinor: 100n,
    });
  });
  it('cannot be avoided by a new interval while it is due', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.checkEvery(5);
    player.bet(10);
    player.wait(5 * MINUTE_MS);
    expect(player.checkEvery(60)).toBe('reality-check-due');
    expect(player.checkEvery(null)).toBe('reality-check-due');
    player.acknowledge();
    expect(player.checkEvery(null)).toHaveLength(1);
    expect(player.checkEvery(null)).toEqual([]);
    player.wait(14 * MINUTE_MS);
    expect(player.bet(1)).toHaveLength(2);
  });
  it('applies to all players if the operator sets it, and the player’s choice has precedence', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z', { realityCheckMinutes: 10 });
    player.bet(10);
    expect(player.events.at(-2)?.data).toMatchObject({ atMs: player.nowMs });
    player.wait(10 * MINUTE_MS);
    expect(player.bet(1)).toBe('reality-check-due');
    player.acknowledge();
    player.checkEvery(14);
    player.bet(1);
    player.wait(13 * MINUTE_MS);
    expect(player.bet(1)).toHaveLength(2);
    player.wait(MINUTE_MS);
    expect(player.bet(1)).toBe('reality-check-due');
  });
  it('prevents neither the settlement of a round nor exchanging points for token', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.checkEvery(5);
    player.stakeOnly(10);
    player.wait(6 * MINUTE_MS);
    player.settle(20);
    expect(player.exchange('points', 100)).toHaveLength(1);
    expect(player.exclude('24h')).toHaveLength(1);
  });
  it.each([0, 4, 5.5, -5, 1_441, Number.NaN])('every %d minutes is refused', (minutes) => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    expect(player.checkEvery(minutes)).toBe('reality-check-interval-invalid');
  });
});

describe('time', () => {
  it('before the previous event is replaced by the time of that event', () => {
    const player = givenPlayer('2026-11-22T00:00:00.000Z');
    player.limit('wager', 'day', 100);
    player.bet(100);
    player.wait(-1); // another gateway, yesterday
    expect(player.bet(1)).toBe('wager-limit-reached');
    player.limit('wager', 'day', 200);
    expect(player.events.at(-1)?.data).toMatchObject({
      atMs: player.nowMs + 1,
      fromMs: player.nowMs + 1 + DAY_MS,
    });
    player.exclude('24h');
    player.wait(-HOUR_MS);
    expect(player.bet(1)).toBe('self-excluded');
  });
  it('is required where it is recorded', () => {
    const player = givenPlayer('2026-11-21T12:00:00.000Z');
    player.limit('wager', 'day', 100);
    expect(() => player.betWithoutTime(1)).toThrow('the command has the time');
  });
});
