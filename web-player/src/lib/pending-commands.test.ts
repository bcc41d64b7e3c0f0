// @vitest-environment happy-dom

import { safeStorage } from '@reelbook/web/storage';
import { beforeEach, expect, test } from 'vitest';
import { createPendingBets } from './pending-commands.ts';

const bets = () => createPendingBets(safeStorage(() => localStorage));

beforeEach(() => localStorage.clear());

test('a pending bet is found again after a reload, with its key', () => {
  const begun = bets().begin('alice', { bet: 25 });
  expect(begun.key).toMatch(/^[0-9a-f]{32}$/);
  expect(bets().find('alice')).toEqual(begun);
});

test('a finished bet is gone, and every bet has its own key', () => {
  const first = bets().begin('alice', { bet: 25 });
  bets().finish(first);
  expect(bets().find('alice')).toBeNull();
  expect(bets().begin('alice', { bet: 25 }).key).not.toBe(first.key);
});

test('another player does not find it, and it waits for its own', () => {
  const begun = bets().begin('alice', { bet: 25 });
  expect(bets().find('bob')).toBeNull();
  expect(bets().find('alice')).toEqual(begun);
});

test('finishing an older bet keeps the one of another tab', () => {
  const older = bets().begin('alice', { bet: 25 });
  const newer = bets().begin('alice', { bet: 50 });
  bets().finish(older);
  expect(bets().find('alice')).toEqual(newer);
});

test('invalid data in the storage counts as no bet', () => {
  for (const text of ['{', 'null', '7', '{"wallet":"alice","key":1,"bet":"x","atMs":5}']) {
    localStorage.setItem('pending_bet', text);
    expect(bets().find('alice')).toBeNull();
  }
});
