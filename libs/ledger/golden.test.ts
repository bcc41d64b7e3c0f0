import { createHash } from 'node:crypto';
import { goldenStreams } from '@reelbook/testing/golden';
import { expect, it } from 'vitest';
import { encode } from './codec.ts';
import { fold } from './decider.ts';
import { deciders } from './deciders.ts';
import type { OperatorsState } from './operators/state.ts';

/**
 * The forms of events are frozen: a stream written by an earlier build must fold to the same state for ever. When this fails,
 * `evolve` or an event changed its meaning. Another form is a new type of event, or an optional field that is read in one
 * place; it gets a golden file of its own. The files are never edited, only added to.
 */
it.each(goldenStreams)('folds the golden stream $name to its known state', (golden) => {
  const { kind, events, foldsTo } = golden;
  const state = encode(leaveOut(fold(deciders[kind], events)));
  expect(createHash('sha256').update(state).digest('hex')).toBe(foldsTo);
});

it('has a golden stream of every kind but the configuration, with all their lines', () => {
  const lines = goldenStreams.map(({ name, events }) => `${name} ${events.length}`);
  expect(lines).toEqual(
    expect.arrayContaining([
      ...['operators-1 9', 'operators-2 7', 'seals-1 3', 'treasury-1 7', 'treasury-2 6'],
      ...['player-1 16', 'player-2 22', 'player-doubted 17', 'player-operators 15'],
      ...['player-payments 18', 'player-protection 28', 'player-rounds 19', 'player-voids 14'],
    ]),
  );
});

/** What the builds since count as well. All that was known when the stream was written must stay as it was. */
function leaveOut(state: unknown): unknown {
  const { version, adminsEver, proposals, ...known } = state as OperatorsState;
  return version === undefined ? state : known;
}
