import { expect, test } from 'vitest';
import { answeredShare, sustainedNote } from './open-loop.ts';

/** The times of responses at this rate, each after a latency. */
const answered = (rate: number, count: number, latencyMs = (_n: number) => 0) =>
  Array.from({ length: count }, (_, n) => (n * 1_000) / rate + latencyMs(n));

test('a rate is sustained by responses that keep up, however late they come', () => {
  expect(answeredShare(answered(250, 1_000), 250)).toBeCloseTo(1);
  const late = answered(250, 1_000, () => 700);
  expect(answeredShare(late, 250)).toBeCloseTo(1);
  expect(sustainedNote(answeredShare(late, 250), 250)).toBe('');
  // They come in any order.
  expect(answeredShare(late.reverse(), 250)).toBeCloseTo(1);
});

test('a rate whose responses fall behind is marked with what was reached', () => {
  const behind = answeredShare(answered(230, 1_000), 250);
  expect(behind).toBeCloseTo(0.92);
  expect(sustainedNote(behind, 250)).toBe(', NOT SUSTAINED: 230 of 250 per second answered');
  const growing = answeredShare(
    answered(250, 1_000, (n) => n / 2),
    250,
  );
  expect(sustainedNote(growing, 250)).toContain('NOT SUSTAINED: 222 of 250');
  expect(sustainedNote(0.9699, 250)).not.toBe('');
  expect(sustainedNote(0.97, 250)).toBe('');
  // Nothing was answered.
  expect(sustainedNote(answeredShare([], 250), 250)).toContain('NOT SUSTAINED');
});
