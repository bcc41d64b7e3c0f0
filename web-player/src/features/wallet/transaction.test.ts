import { expect, test } from 'vitest';
import { roundIdOf, statusKey, typeKey } from './transaction.ts';

test('unknown types and statuses are shown unchanged', () => {
  expect(typeKey('deposit')).toBe('deposit');
  expect(typeKey('airdrop')).toBe('other');
  expect(statusKey('pending')).toBe('pending');
  expect(statusKey('constructor')).toBe('other');
});

test('the round of a transaction, or none', () => {
  expect(roundIdOf({ extra_data: '{"action":"bet","round_id":"r-1"}' })).toBe('r-1');
  for (const extra_data of ['', 'null', '{}', '{"round_id":null}', '{"round_id":7}', '[']) {
    expect(roundIdOf({ extra_data })).toBeNull();
  }
});
