import { expect, test } from 'vitest';
import { IN_FLIGHT_MAX_MS, InFlight } from './in-flight.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const follow = (...moves: readonly (readonly [minutes: number, minor: bigint])[]) => {
  const inFlight = new InFlight();
  for (const [minutes, minor] of moves) inFlight.move(minor, NOON + minutes * 60_000);
  return (minutes: number) => inFlight.stuckMinor(NOON + minutes * 60_000);
};

test('what has been in flight for less than the hour is not stuck', () => {
  const stuck = follow([0, 500n]);
  expect(stuck(59)).toBe(0n);
  expect(stuck(60)).toBe(500n);
  expect(IN_FLIGHT_MAX_MS).toBe(60 * 60_000);
});

test('a payment that the ledger never recorded is stuck below zero', () => {
  expect(follow([0, -855n])(61)).toBe(-855n);
});

test('successive deposits are not stuck if there was a time without one', () => {
  expect(follow([0, 5n], [30, 0n], [31, 7n], [59, 0n], [60, 9n])(100)).toBe(0n);
});

test('of a stuck amount below a busy flow, the least amount in flight is reported', () => {
  expect(follow([0, 5n], [20, 12n], [21, 5n], [50, 8n], [51, 5n])(70)).toBe(5n);
});

test('an amount that went in the other direction meanwhile is not stuck', () => {
  expect(follow([0, 5n], [20, -3n], [25, 4n])(70)).toBe(0n);
});

test('movements before the last hour are pruned', () => {
  const inFlight = new InFlight();
  for (let n = 0; n < 100_000; n++) inFlight.move(BigInt((n % 2) + 1), NOON + n * 1_000);
  expect(inFlight.stuckMinor(NOON + 100_000_000)).toBe(1n);
});
