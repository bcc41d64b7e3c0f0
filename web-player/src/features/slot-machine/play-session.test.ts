// @vitest-environment happy-dom

import { safeStorage } from '@reelbook/web/storage';
import { beforeEach, expect, test } from 'vitest';
import { createPlaySession } from './play-session.ts';

const open = (nowMs = 1_000) =>
  createPlaySession(
    safeStorage(() => sessionStorage),
    () => nowMs,
  );
const round = (id: string, bet: number, win: number) => ({
  round_id: id,
  bet_amount: bet,
  win_amount: win,
});

beforeEach(() => sessionStorage.clear());

test('spins, stakes and net add up exactly', () => {
  const session = open();
  session.start('alice');
  session.count('alice', round('a', 1, 1.5));
  session.count('alice', round('b', 10, 0));
  expect(session.get()).toMatchObject({ spins: 2, stakedCents: 1100, netCents: -950 });
});

test('a result shown a second time is not counted again', () => {
  const session = open();
  session.count('alice', round('a', 10, 0));
  session.count('alice', round('a', 10, 0));
  expect(session.get()?.spins).toBe(1);
});

test('it survives a reload and starts at zero with another player', () => {
  open(1_000).count('alice', round('a', 10, 0));
  const later = open(9_000);
  expect(later.start('alice')).toMatchObject({ startedAtMs: 1_000, spins: 1 });
  expect(later.start('bob')).toMatchObject({ startedAtMs: 9_000, spins: 0 });
});
