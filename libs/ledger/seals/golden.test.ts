import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decode, encode } from '../codec.ts';
import { fold } from '../decider.ts';
import { type LedgerSealed, sealsDecider } from './decide.ts';

/** As ../golden.test.ts: never edited, only added to. */
it('folds the golden stream of seals to its known state', () => {
  const file = new URL('../../testing/golden/seals-1.jsonl', import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<LedgerSealed>(line));
  const state = encode(fold(sealsDecider, events));
  expect(events.length).toBe(3);
  expect(createHash('sha256').update(state).digest('hex')).toBe(
    '6379f9262f2f3fc4dc3aa9b1ca79d292e84d181bc4408d95810901e6673599e7',
  );
});
