import { expect, test } from 'vitest';
import { draftExchange, leastExchange } from './exchange-dialog.tsx';

const points = { from: 'points', heldMinor: 104_250n, rate: 0.01 } as const;

test('the amount received is exact to the last minor unit, rounded down', () => {
  expect(draftExchange({ ...points, text: '1042.5' })).toEqual({
    amountMinor: 104_250n,
    receiveMinor: 10_425_000_000n,
    fault: null,
  });
  const token = { from: 'token', heldMinor: 10n ** 18n, rate: 100 } as const;
  expect(draftExchange({ ...token, text: '0.000199999' }).receiveMinor).toBe(1n);
  expect(draftExchange({ ...token, text: '1234567.123456789' }).receiveMinor).toBe(12_345_671_234n);
});

test('nothing that can be sent: empty, zero, no amount, too precise, too large', () => {
  for (const text of ['', '0', '0.00', '.', '-1', '1e3', '1.001', '9'.repeat(24)]) {
    expect(draftExchange({ ...points, text })).toEqual({
      amountMinor: null,
      receiveMinor: null,
      fault: null,
    });
  }
});

test('more than the balance', () => {
  expect(draftExchange({ ...points, text: '1042.51' })).toEqual({
    amountMinor: 104_251n,
    receiveMinor: null,
    fault: 'insufficient',
  });
});

test('an amount that would bring nothing is refused, from the least one on it is not', () => {
  const token = { from: 'token', heldMinor: 10n ** 18n, rate: 100 } as const;
  expect(draftExchange({ ...token, text: '0.000099999' })).toEqual({
    amountMinor: 99_999n,
    receiveMinor: null,
    fault: 'small',
  });
  expect(leastExchange('token', 100)).toBe(100_000n);
  expect(draftExchange({ ...token, text: '0.0001' }).receiveMinor).toBe(1n);
  expect(leastExchange('points', 0.01)).toBe(1n);
});

test('without a rate the amount is shown and the amount received is unknown', () => {
  expect(draftExchange({ ...points, rate: undefined, text: '10' })).toEqual({
    amountMinor: 1_000n,
    receiveMinor: null,
    fault: null,
  });
});
