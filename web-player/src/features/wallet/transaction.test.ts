import { expect, test } from 'vitest';
import { faultOf, roundIdOf, statusKey, typeKey } from './transactions.tsx';

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

test('why a deposit failed: by its code, of an older report by its text, otherwise nothing', () => {
  const failed = (extra: object) => ({ status: 'failed', extra_data: JSON.stringify(extra) });
  expect(faultOf(failed({ reason: 'it moved no token', fault: 'no-transfer' }))).toEqual({
    code: 'no-transfer',
  });
  expect(faultOf(failed({ reason: 'an older text', fault: null }))).toEqual({
    text: 'an older text',
  });
  expect(faultOf(failed({ reason: null }))).toBeNull();
  expect(faultOf({ ...failed({ fault: 'failed' }), status: 'pending' })).toBeNull();
});
