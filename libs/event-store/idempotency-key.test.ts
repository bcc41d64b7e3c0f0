import { expect, test } from 'vitest';
import { hashKey, randomKey } from './execution.ts';

const SCOPE_DIGITS = 8;
const scopeOf = (key: string) => key.slice(0, SCOPE_DIGITS);

test('keys of one scope share their first 4 bytes and nothing else', () => {
  const [a, b] = [hashKey('player-A:command:1'), hashKey('player-A:command:2')];
  expect(scopeOf(a)).toBe(scopeOf(b));
  expect(a.slice(SCOPE_DIGITS)).not.toBe(b.slice(SCOPE_DIGITS));
  expect(scopeOf(hashKey('player-B:command:1'))).not.toBe(scopeOf(a));
});

test('the same name in two scopes gives keys that differ in both parts', () => {
  const [a, b] = [hashKey('player-A:command:1'), hashKey('player-B:command:1')];
  expect(a.slice(SCOPE_DIGITS)).not.toBe(b.slice(SCOPE_DIGITS));
});

test('a random key has the prefix of its stream', () => {
  expect(scopeOf(randomKey('player-A'))).toBe(scopeOf(hashKey('player-A:command:1')));
  expect(randomKey('player-A')).not.toBe(randomKey('player-A'));
  expect(randomKey('player-A')).toMatch(/^[0-9a-f]{32}$/);
});

test('a key without a scope is refused', () => {
  expect(() => hashKey('lucky')).toThrow('an idempotency key is <scope>:<name>');
  expect(() => hashKey(':lucky')).toThrow('an idempotency key is <scope>:<name>');
});
