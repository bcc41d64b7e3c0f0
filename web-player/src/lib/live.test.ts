import { afterAll, expect, test } from 'vitest';
import { balances } from './balances-store.ts';
import { keepVersion } from './live.ts';
import { unread } from './unread.ts';

afterAll(() => {
  balances.reset();
  unread.reset();
});

const at = (stream_version: number) => ({
  balance: 0,
  token_balance: 0,
  points_balance: stream_version,
  position: 1,
  stream_version,
  unread_count: 1,
});

test('stores forget their versions only when the ledger was restored to before them', () => {
  balances.accept(at(9));
  unread.accept(at(9));
  expect(keepVersion(9, at(9))).toBe(9);
  expect(balances.accept(at(7))).toBe(false);
  expect(keepVersion(9, at(7))).toBeNull();
  expect(balances.accept(at(7))).toBe(true);
  expect(unread.get()).toBeNull();
  expect(keepVersion(null, at(3))).toBeNull();
});
