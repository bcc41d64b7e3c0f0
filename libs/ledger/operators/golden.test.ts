import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decode, encode } from '../codec.ts';
import { fold } from '../decider.ts';
import { deciders } from '../deciders.ts';
import type { OperatorsState } from './state.ts';

/** As ../golden.test.ts: never edited, only added to. What operators did to a player, and who they were. */
it.each([
  [
    'player',
    'player-operators',
    15,
    '8f9b749155471d6a3e13f63e6632f215bbad6752bbcdff59799786677caf0562',
  ],
  [
    'operators',
    'operators-1',
    9,
    '2137fb4389e24ea78e42a8a94a5c6c8c33f54a586a4607f62a6146612b424018',
  ],
  [
    'operators',
    'operators-2',
    7,
    '55bf60a70ced86cedb3a0672f72c171b8c7ffdafa05db83d4af2d1515b2bc6a6',
  ],
  ['treasury', 'treasury-2', 6, '7a03a8b579a13c56dbf12335cc1cd8c48a9f301676216d792fe626db8b664e14'],
] as const)('folds the golden stream of %s (%s) to its known state', (kind, name, count, hash) => {
  const file = new URL(`../../testing/golden/${name}.jsonl`, import.meta.url);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => decode<never>(line));
  const state = encode(leaveOut(fold(deciders[kind], events)));
  expect(events.length).toBe(count);
  expect(createHash('sha256').update(state).digest('hex')).toBe(hash);
});

/** What the builds since count as well. All that was known when the stream was written must stay as it was. */
function leaveOut(state: unknown): unknown {
  const { version, adminsEver, proposals, ...known } = state as OperatorsState;
  return version === undefined ? state : known;
}
