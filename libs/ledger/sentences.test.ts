import { expect, test } from 'vitest';
import { defaultConfig } from './config/config.ts';
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

test('the sentence of a change of the configuration has its values', () => {
  const rate = { numerator: 4, denominator: 100 };
  const after = { ...defaultConfig, withdraw: { ...defaultConfig.withdraw, feeRate: rate } };
  const textOf = (before: typeof after | null, is = after) => {
    const data = { before, after: is, reason: 'timing' };
    return sentenceOf({ type: 'ConfigChanged', data }).text;
  };
  expect(textOf(defaultConfig)).toBe('configuration: withdraw.feeRate 5/100 -> 4/100 (timing)');
  expect(textOf(null)).toBe('configuration: first values (timing)');
  const off = { enabled: false };
  const { exchange, withdraw } = after;
  const more = {
    ...after,
    play: off,
    exchange: { ...exchange, ...off },
    withdraw: { ...withdraw, ...off },
  };
  expect(textOf(defaultConfig, more)).toMatch(/ -> \S+, .* and 1 more \(timing\)$/);
  const changes = [{ path: 'play.enabled', before: 'false', after: 'true' }];
  const data = { kind: 'configuration', command: { changes }, number: 7, reason: 'timing' };
  expect(sentenceOf({ type: 'Proposed', data } as unknown as AnyEvent).text).toBe(
    'play.enabled false -> true proposed as number 7: timing',
  );
});

test('a sentence with a missing fact throws', () => {
  expect(() => fill(EVENTS.BetWon.sentence[0], {})).toThrow('every name');
});
