import { given } from '@reelbook/testing/given';
import { createHistory, walletOf } from '@reelbook/testing/history';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { fold } from '../decider.ts';
import { isRejection } from '../rejections.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { notificationOf } from './notice-facts.ts';
import { isRead, type Notice, nextNotice, READ_SINGLY_MAX, unreadOf } from './notices.ts';
import type { PlayerState } from './state.ts';

const after = { pointsMinor: 100n, tokenMinor: 0n };
const registered: PlayerEvent = {
  type: 'PlayerRegistered',
  data: { wallet: 'W'.repeat(43), publicId: 'p1' },
};
const withNotice = (notice: Notice): PlayerEvent => ({
  type: 'WelcomeGranted',
  data: { pointsMinor: 100n, after, notice },
});
const notified = (n: number, unread: number) => withNotice({ n, unread });
const three = [registered, notified(1, 1), notified(2, 2), notified(3, 3)];
const read = (which: number | 'all') =>
  given(playerDecider, three).when({ type: 'ReadNotifications', which });

describe('notifications', () => {
  it('are read one by one, from either end', () => {
    read(2).yields([{ type: 'NotificationsRead', data: { from: 2, to: 2, unread: 2 } }]);
    const state = read(2).state();
    expect([1, 2, 3].map((n) => isRead(state, n))).toEqual([false, true, false]);
    expect(nextNotice(state)).toEqual({ n: 4, unread: 3 });
  });
  it('are read all together, earlier ones included', () => {
    read('all').yields([{ type: 'NotificationsRead', data: { from: 1, to: 3, unread: 0 } }]);
    expect(unreadOf(read('all').state())).toBe(0);
  });
  it('that are read already append no event', () => {
    const seen: PlayerEvent = { type: 'NotificationsRead', data: { from: 1, to: 3, unread: 0 } };
    for (const which of [1, 3, 'all'] as const) {
      given(playerDecider, [...three, seen])
        .when({ type: 'ReadNotifications', which })
        .yields([]);
    }
  });
  it.each([0, 4, -1, 1.5])('number %d does not exist', (which) =>
    read(which).rejects('no-such-notification'),
  );
  it('without dense numbers throw', () => {
    expect(() => fold(playerDecider, [registered, notified(2, 1)])).toThrow(Bug);
    expect(() => fold(playerDecider, [registered, notified(1, 2)])).toThrow(Bug);
  });
  it.each([
    [3_999n, 1],
    [4_000n, 2],
  ])('report a win of 4 times the stake and more: %d for 1000', (payoutMinor, count) => {
    const history = createHistory();
    history.register(walletOf(1));
    history.bet(walletOf(1), 1_000n * 100n, payoutMinor * 100n);
    const notified = history.recorded().filter(({ event }) => notificationOf(event) !== null);
    expect(notified).toHaveLength(count);
  });
  it('of an event without one are null', () => {
    const old: PlayerEvent = { type: 'WelcomeGranted', data: { pointsMinor: 100n, after } };
    const state = fold(playerDecider, [registered, old]);
    expect(state).not.toHaveProperty('notices');
    expect(unreadOf(state)).toBe(0);
    expect(notificationOf(old)).toBeNull();
  });
  it('have the kind of the event and its facts', () => {
    expect(notificationOf(notified(1, 1))).toEqual({
      n: 1,
      unread: 1,
      type: 'system',
      kind: 'welcome',
      facts: { points: { asset: 'points', minor: 100n } },
    });
  });
});

describe('any order of notifying and reading', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('notify' as const) },
    { weight: 4, arbitrary: fc.integer({ min: -1, max: 400 }) },
    { weight: 1, arbitrary: fc.constant('all' as const) },
    { weight: 2, arbitrary: fc.constant('replace' as const) },
  );
  /** The simple way to count: a set. */
  it('counts as a set does', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        let state: PlayerState = fold(playerDecider, [registered]);
        const unread = new Set<number>();
        let count = 0;
        for (const one of steps) {
          if (one === 'notify') {
            unread.add(++count);
            state = playerDecider.evolve(state, notified(count, unread.size));
          } else if (one === 'replace') {
            const notice = nextNotice(state, count || undefined);
            if (notice.replaces !== undefined) unread.delete(notice.replaces);
            unread.add(++count);
            expect(notice).toMatchObject({ n: count, unread: unread.size });
            state = playerDecider.evolve(state, withNotice(notice));
          } else {
            const which = one === 'all' ? one : count === 0 ? one : one % (count + 1);
            const events = playerDecider.decide(state, { type: 'ReadNotifications', which });
            if (isRejection(events)) continue;
            for (const event of events) state = playerDecider.evolve(state, event);
            if (which === 'all') unread.clear();
            else unread.delete(which);
          }
          expect(unreadOf(state)).toBe(unread.size);
          for (let n = 1; n <= count; n++) expect(isRead(state, n)).toBe(!unread.has(n));
        }
      }),
    );
  });

  it('limits the state: above the limit of reads out of order a notification replaces none', () => {
    let state: PlayerState = fold(playerDecider, [registered, notified(1, 1)]);
    const count = 2 * READ_SINGLY_MAX;
    for (let n = 2; n <= count; n += 2) {
      state = playerDecider.evolve(state, withNotice(nextNotice(state)));
      state = playerDecider.evolve(state, withNotice(nextNotice(state, n)));
    }
    expect(state.notices?.readSingly).toHaveLength(READ_SINGLY_MAX);
    expect(nextNotice(state, count)).not.toHaveProperty('replaces');
  });

  it('limits the state: above the limit of reads out of order the oldest count as read', () => {
    let state: PlayerState = fold(playerDecider, [registered]);
    const count = 3 * READ_SINGLY_MAX;
    for (let n = 1; n <= count; n++) state = playerDecider.evolve(state, notified(n, n));
    for (let which = count; which > 0; which -= 2) {
      const events = playerDecider.decide(state, { type: 'ReadNotifications', which });
      if (isRejection(events)) throw new Error(events.rejected);
      for (const event of events) state = playerDecider.evolve(state, event);
      expect(state.notices?.readSingly.length).toBeLessThanOrEqual(READ_SINGLY_MAX);
      expect(isRead(state, which)).toBe(true);
    }
  });
});
