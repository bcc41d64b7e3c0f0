// @vitest-environment happy-dom

import { safeStorage } from '@reelbook/web/storage';
import { beforeEach, expect, test, vi } from 'vitest';
import { createSessionStore } from './session-store.ts';

const user = {
  wallet_address: 'alice',
  public_id: 'p1',
  nickname: null,
  display_name: 'Userp1',
  level: 1,
  experience: 0,
  next_level_experience: 100,
};
const login = { token: 't1', expires_at: '2026-11-22T00:00:00.000Z', user };
const open = () => createSessionStore(safeStorage(() => localStorage));

beforeEach(() => localStorage.clear());

test('a login is kept in `token` and `user`, and found after a reload', () => {
  open().signIn(login);
  expect(localStorage.getItem('token')).toBe('t1');
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user);
  expect(open().get()).toEqual({ token: 't1', user, expiresAt: login.expires_at });
});

test('an incomplete session counts as none and is cleared', () => {
  localStorage.setItem('token', 't1');
  expect(open().get()).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
  localStorage.setItem('user', '{"x":');
  localStorage.setItem('token', 't1');
  expect(open().get()).toBeNull();
});

test('clearing removes all of it and notifies the listeners', () => {
  const store = open();
  store.signIn(login);
  const listener = vi.fn();
  store.subscribe(listener);
  store.clear();
  expect(listener).toHaveBeenCalledOnce();
  expect(localStorage).toHaveLength(0);
  expect(store.get()).toBeNull();
});

test('follows another tab that signs out', () => {
  const store = open();
  store.signIn(login);
  open().clear();
  store.reread();
  expect(store.get()).toBeNull();
});

test('follows another tab that signs in, whose keys arrive one after the other', () => {
  const store = open();
  localStorage.setItem('token', 't1');
  expect(store.reread()).toBeNull();
  expect(localStorage.getItem('token')).toBe('t1');
  localStorage.setItem('user', JSON.stringify(user));
  expect(store.reread()).toMatchObject({ token: 't1', user });
});

test('a changed profile keeps the token; without a session it changes nothing', () => {
  const store = open();
  store.updateUser(user);
  expect(store.get()).toBeNull();
  store.signIn(login);
  store.updateUser({ ...user, nickname: 'Al' });
  expect(store.get()).toMatchObject({ token: 't1', user: { nickname: 'Al' } });
});
