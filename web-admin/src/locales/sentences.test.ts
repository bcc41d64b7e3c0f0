import { RISKS } from '@reelbook/contract/admin/desk';
import { LINES } from '@reelbook/contract/admin/house';
import { HOLDS } from '@reelbook/ledger/holds';
import { expect, test } from 'vitest';
import { enSentences } from './en-sentences.ts';

const inHouse = (template: string) => template.replace(/\{(\w+)\}/g, '{{$1}}');

test('every event, risk, hold and line of a balance has its words, word for word as the server says it in English', () => {
  expect(enSentences.sentence.BetPlaced).toBe('{{stake}} on {{game}}');
  const risks = Object.entries(RISKS).map(([code, said]) => [code, inHouse(said)]);
  expect(enSentences.risk).toEqual(Object.fromEntries(risks));
  const holds = Object.entries(HOLDS).map(([code, said]) => [code, inHouse(said)]);
  expect(enSentences.hold).toEqual(Object.fromEntries(holds));
  expect(enSentences.line).toEqual(LINES);
});
