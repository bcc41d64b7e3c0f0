import fc from 'fast-check';
import { expect, test } from 'vitest';
import { confirmationMessage, readConfirmation } from './confirmation.ts';

const to = '9'.repeat(44);
const given = {
  origin: 'https://play.example.com',
  amountMinor: 12_500_000_000n,
  to,
  atMs: 1.8e12,
};

test('the message names amount, site, address and time', () => {
  expect(confirmationMessage(given)).toBe(
    `Withdraw 12.5 BSM from Reelbook at https://play.example.com to ${to}: 1800000000000`,
  );
});

test('every message is read as it was written', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), fc.integer({ min: 1e12, max: 9e12 }), (minor, atMs) => {
      const confirmed = { ...given, amountMinor: minor, atMs };
      expect(readConfirmation(confirmationMessage(confirmed))).toEqual(confirmed);
    }),
  );
});

test.each([
  '',
  'Sign this message to log in to Reelbook: 1800000000000',
  ...['12.50', '012.5', '.5', '12.', '1e3', '-1', '12,5', '1.0000000001', '12345678901'].map(
    (amount) => confirmationMessage(given).replace('12.5', amount),
  ),
  `${confirmationMessage(given)} `,
  ` ${confirmationMessage(given)}`,
  `${confirmationMessage(given)}\n`,
  confirmationMessage({ ...given, origin: 'https://a b' }),
  confirmationMessage({ ...given, origin: '' }),
  confirmationMessage({ ...given, to: `${to} or ${to}` }),
  confirmationMessage({ ...given, atMs: 1 }),
])('no other text is read: %j', (text) => {
  expect(readConfirmation(text)).toBe(null);
});
