import { expect, test } from 'vitest';
import { EVENTS } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import { fill, sentenceOf } from './sentences.ts';

const wallet = 'B2qcM9EeCzgrFVhu9pLRQxYQkzQYzGdR7bmHbBmYdpHk';

test('an event is said with its figures, its names and the words of the ledger', () => {
  const untilMs = Date.parse('2031-01-02T03:04:05Z');
  const said = (event: object) => sentenceOf(event as AnyEvent).text;
  const limit = { kind: 'deposit', period: 'day', amountMinor: 5_000_000_000n };
  expect(said({ type: 'LimitSet', data: limit })).toBe('deposit limit per day: 5 BSM');
  expect(said({ type: 'LimitSet', data: { ...limit, amountMinor: null } })).toMatch(/: none$/);
  expect(said({ type: 'SelfExcluded', data: { untilMs: null } })).toBe('excluded for good');
  expect(said({ type: 'SelfExcluded', data: { untilMs } })).toBe(
    'excluded until 2031-01-02 03:04 UTC',
  );
  const refused = { operator: wallet, reason: 'role' };
  expect(said({ type: 'OperatorAccessDenied', data: refused })).toBe(
    `access denied for ${wallet}: role`,
  );
  const denied = { by: `operator:${wallet}`, reason: '{by} $& $1' };
  expect(said({ type: 'WithdrawalDenied', data: denied })).toBe(
    `denied by operator:${wallet}: {by} $& $1`,
  );
});

test('a sentence whose figure is missing is a fault, not half a sentence', () => {
  expect(() => fill(EVENTS.BetWon.sentence[0], {})).toThrow('every figure');
});
