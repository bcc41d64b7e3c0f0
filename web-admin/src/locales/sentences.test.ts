import { SENTENCES } from '@reelbook/ledger/sentences';
import { expect, test } from 'vitest';
import { enSentences } from './en-sentences.ts';

test('every event has its words, word for word as the server says it in English', () => {
  const inCatalogue = (template: string) => template.replace(/\{(\w+)\}/g, '{{$1}}');
  const events = Object.entries(SENTENCES).map(([type, [said]]) => [type, inCatalogue(said)]);
  expect(enSentences.sentence).toEqual(Object.fromEntries(events));
});
