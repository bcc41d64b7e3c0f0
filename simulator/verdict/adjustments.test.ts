import type { PlacedEvent } from '@reelbook/ledger/events';
import { createWallet } from '@reelbook/testing/wallets';
import { expect, test } from 'vitest';
import { createJournal } from '../client/journal.ts';
import { examineAdjustments } from './adjustments.ts';

const [ANNA, BERT] = [createWallet(1).address, createWallet(2).address] as const;

const adjusted = (wallet: string, reason: string) => [
  {
    stream: `player-${wallet}`,
    event: { type: 'BalanceAdjusted', data: { reason } },
  } as PlacedEvent,
];

function faultsOf(...commands: readonly (readonly PlacedEvent[])[]): readonly string[] {
  const journal = createJournal(ANNA);
  journal.adjustments.push('first', 'second');
  return examineAdjustments(commands, [journal, createJournal(BERT)]);
}

test('what was sent is there once, or not at all where it was not acknowledged', () => {
  expect(faultsOf(adjusted(ANNA, 'first'), adjusted(ANNA, 'second'))).toEqual([]);
  expect(faultsOf(adjusted(ANNA, 'first'))).toEqual([]);
});

test.each([
  ['an adjustment that is there twice', adjusted(ANNA, 'first')],
  ['one that no operator sent', adjusted(ANNA, 'third')],
  ['one of another player', adjusted(BERT, 'first')],
])('%s is a fault', (_, more) => {
  expect(faultsOf(adjusted(ANNA, 'first'), more)).toHaveLength(1);
});
