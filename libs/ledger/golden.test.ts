import { createHash } from 'node:crypto';
import { goldenStreams } from '@reelbook/testing/golden';
import { expect, it } from 'vitest';
import { encode } from './codec.ts';
import { fold } from './decider.ts';
import { deciders } from './deciders.ts';
import type { AnyEvent } from './events.ts';
import type { OperatorsState } from './operators/state.ts';
import type { PlayerState } from './player/state.ts';

/**
 * The formats of events are frozen: a stream of an earlier build must always fold to the same state. If this fails, `evolve`
 * or an event changed its meaning. A new format is a new type of event, or an optional field that is read in one place; it
 * gets its own golden file. The files are never edited, only added.
 */
it.each(goldenStreams)('folds the golden stream $name to its known state', (golden) => {
  const { kind, events, foldsTo } = golden;
  const replaces = events.some(({ data }) => 'notice' in data && data.notice?.replaces);
  const folded = leaveOut(fold(deciders[kind], events), events);
  const state = encode(replaces ? folded : leaveOutNotices(folded));
  expect(createHash('sha256').update(state).digest('hex')).toBe(foldsTo);
});

it('has a golden stream of every kind except the configuration, with all their lines', () => {
  const lines = goldenStreams.map(({ name, events }) => `${name} ${events.length}`);
  expect(lines).toEqual(
    expect.arrayContaining([
      'operators-1 9',
      'operators-2 7',
      'operators-3 5',
      'operators-4 8',
      'operators-findings 8',
      'operators-actions 3',
      'operators-restored 11',
      'operators-approvals 20',
      'seals-1 3',
      'treasury-1 7',
      'treasury-2 3',
      'treasury-dust 2',
      'player-1 16',
      'player-counted 9',
      'player-played 10',
      'player-2 22',
      'player-confirmed 8',
      'player-doubted 17',
      'player-replaced 10',
      'player-operators 11',
      'player-payments 18',
      'player-protection 28',
      'player-rounds 19',
      'player-voids 10',
      'player-sign-in 8',
      'player-budget 19',
      'player-budgets 15',
      'player-approved 8',
    ]),
  );
});

/** `notice` of open withdrawals, of a build whose notifications replaced none. */
function leaveOutNotices(state: unknown): unknown {
  const { withdrawals } = state as PlayerState;
  if (!withdrawals) return state;
  const open = withdrawals.open.map(({ notice: _, ...one }) => one);
  return { ...(state as PlayerState), withdrawals: { ...withdrawals, open } };
}

/** The fields that later builds added, if the stream has none of them. All fields of its own build must be unchanged. */
function leaveOut(state: unknown, events: readonly AnyEvent[]): unknown {
  const { version, adminsEver, proposals, sessions, ...known } = state as OperatorsState;
  const has = (type: AnyEvent['type']) => events.some((one) => one.type === type);
  if (version !== undefined) {
    if (has('Proposed')) return { ...known, proposals };
    return has('OperatorSignedOut') ? { ...known, sessions } : known;
  }
  const { withdrawals } = state as PlayerState;
  if (!withdrawals || withdrawals.confirmedMs !== undefined) return state;
  const open = withdrawals.open.map(({ confirmed: _, ...one }) => one);
  return { ...(state as PlayerState), withdrawals: { ...withdrawals, open } };
}
