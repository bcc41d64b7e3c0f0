import { expect, test } from 'vitest';
import { EVENTS } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import { fill, sentenceOf } from './sentences.ts';

const wallet = 'B2qcM9EeCzgrFVhu9pLRQxYQkzQYzGdR7bmHbBmYdpHk';

test('the sentence of an event has its amounts, names and terms', () => {
  const untilMs = Date.parse('2031-01-02T03:04:05Z');
  const textOf = (event: object) => sentenceOf(event as AnyEvent).text;
  const limit = { kind: 'deposit', period: 'day', amountMinor: 5_000_000_000n };
  expect(textOf({ type: 'LimitSet', data: limit })).toBe('deposit limit per day: 5 BSM');
  expect(textOf({ type: 'LimitSet', data: { ...limit, amountMinor: null } })).toMatch(/: none$/);
  expect(textOf({ type: 'SelfExcluded', data: { untilMs: null } })).toBe('excluded for good');
  expect(textOf({ type: 'SelfExcluded', data: { untilMs } })).toBe(
    'excluded until 2031-01-02 03:04 UTC',
  );
  const refused = { operator: wallet, reason: 'role' };
  expect(textOf({ type: 'OperatorAccessDenied', data: refused })).toBe(
    `access denied for ${wallet}: role`,
  );
  const denied = { by: `operator:${wallet}`, reason: '{by} $& $1' };
  expect(textOf({ type: 'WithdrawalDenied', data: denied })).toBe(
    `denied by operator:${wallet}: {by} $& $1`,
  );
});

test('a sentence with a missing fact throws', () => {
  expect(() => fill(EVENTS.BetWon.sentence[0], {})).toThrow('every name');
});
