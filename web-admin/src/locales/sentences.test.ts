import { expect, test } from 'vitest';
import { enSentences } from './en-sentences.ts';

test('an event has the words of its descriptor, with the figures of a catalogue', () => {
  expect(enSentences.sentence.BetPlaced).toBe('{{stake}} on {{game}}');
});
