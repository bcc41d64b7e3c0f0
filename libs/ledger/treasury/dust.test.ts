import { given } from '@reelbook/testing/given';
import { expect, test } from 'vitest';
import { DAY_MS } from '../calendar.ts';
import { treasuryDecider } from './decide.ts';
import { DUST_TRANSFERS_MAX, isDust } from './dust.ts';

const transfers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    signature: `s${from + n}`,
    slot: 1,
    amountMinor: 2n,
  }));
const record = (count: number, nowMs: number, from = 0) => ({
  type: 'RecordDust' as const,
  tokenAccount: 't',
  nowMs,
  transfers: transfers(count, from),
});

test('dust is recorded once a day, and whenever an event is full', () => {
  const ledger = given(treasuryDecider, []);
  const first = ledger.when(record(3, DAY_MS - 1));
  const data = { day: '1970-01-01', tokenAccount: 't', amountMinor: 6n, transfers: transfers(3) };
  first.yields([{ type: 'DustReceived', data }]);
  const after = given(treasuryDecider, [{ type: 'DustReceived', data }]);
  after.when(record(DUST_TRANSFERS_MAX - 1, DAY_MS - 1, 3)).yields([]);
  const full = after.when(record(DUST_TRANSFERS_MAX, DAY_MS - 1, 3));
  expect(full.state()).toEqual(first.state());
  const next = { ...data, day: '1970-01-02' };
  after.when(record(3, DAY_MS)).yields([{ type: 'DustReceived', data: next }]);
  after.when(record(0, DAY_MS)).yields([]);
});

test('a transfer twice, too many, or without an amount are bugs', () => {
  const ledger = given(treasuryDecider, []);
  const [one] = transfers(1);
  const command = { ...record(1, 0), transfers: [one, one] as never };
  expect(() => ledger.when(command).state()).toThrow('once');
  expect(() => ledger.when(record(DUST_TRANSFERS_MAX + 1, 0)).state()).toThrow('few transfers');
  const nothing = { ...record(1, 0), transfers: [{ signature: 's', slot: 1, amountMinor: 0n }] };
  expect(() => ledger.when(nothing).state()).toThrow('an amount');
});

test('the bound is not dust itself; a ledger without one has none', () => {
  expect(isDust(9n, { dustBelowTokenMinor: 10n })).toBe(true);
  expect(isDust(10n, { dustBelowTokenMinor: 10n })).toBe(false);
  expect(isDust(1n, {})).toBe(false);
});
