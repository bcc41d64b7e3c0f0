import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decode, encode } from './codec.ts';
import { fold } from './decider.ts';
import { playerDecider } from './player/decide.ts';
import type { PlayerEvent } from './player/events.ts';
import { treasuryDecider } from './treasury/decide.ts';
import type { TreasuryEvent } from './treasury/events.ts';

/**
 * The forms of events as of version 0.2, which are frozen: a stream written by an earlier build must fold to the same state
 * for ever. When this fails, `evolve` or an event changed its meaning. Another form is a new type of event, or an optional
 * field that is read in one place; it gets a golden file of its own.
 */
it('folds the golden player stream to its known state', () => {
  const file = new URL('../testing/golden/player-1.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<PlayerEvent>(line));
  const state = encode(fold(playerDecider, events));
  expect(events.length).toBe(16);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    '688f3a3b5038db04a09fa645e7dea7e5fae40d5088a1fb3b7e82c2fc182325a7',
  );
});

it('folds the golden stream with exchanges and notifications to its known state', () => {
  const file = new URL('../testing/golden/player-2.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<PlayerEvent>(line));
  const state = encode(fold(playerDecider, events));
  expect(events.length).toBe(22);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    '6d7bfcce88a5fd936eefbdc675119eb3098a5ef41a6f892fed8edf2d8b3ebf73',
  );
});

it('folds the golden stream with limits, an exclusion and a reality check to its known state', () => {
  const file = new URL('../testing/golden/player-protection.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<PlayerEvent>(line));
  const state = encode(fold(playerDecider, events));
  expect(events.length).toBe(28);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    '2e7febca918775383dd25778b124efafb6aec508e160a4819f56640f170c8e2e',
  );
});

it('folds the golden stream with rounds that last, one voided and one still open, to its known state', () => {
  const file = new URL('../testing/golden/player-rounds.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<PlayerEvent>(line));
  const state = encode(fold(playerDecider, events));
  expect(events.length).toBe(19);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    '7a813607a1a0ba2f5caef8e84428fa96b24d4b594204a1ce83d1bd5ad84461e3',
  );
});

it('folds the golden stream of deposits and withdrawals to its known state', () => {
  const file = new URL('../testing/golden/player-payments.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<PlayerEvent>(line));
  const state = encode(fold(playerDecider, events));
  expect(events.length).toBe(18);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    'af275247c25c5ed51bc1dbd141712f79d80f4f3ccb89d05d2e68b5b0f1da3f71',
  );
});

it("folds the golden stream of attempts that are dead by an operator's word to its known state", () => {
  const file = new URL('../testing/golden/player-doubted.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<PlayerEvent>(line));
  const state = encode(fold(playerDecider, events));
  expect(events.length).toBe(17);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    'cfa9a28d7d38afe83985e068169a9f6adcb43b40d3fe8cf7e8a43b966b0ae2b6',
  );
});

it('folds the golden stream of the treasury, with unmatched deposits and anchors, to its known state', () => {
  const file = new URL('../testing/golden/treasury-1.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<TreasuryEvent>(line));
  const state = encode(fold(treasuryDecider, events));
  expect(events.length).toBe(7);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    '6457c446cd641aeb36088d41b46dd3365d69122dd6fdf2e6cf2c9bb716eb71de',
  );
});
