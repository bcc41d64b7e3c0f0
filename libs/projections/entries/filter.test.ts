import { walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { checkFilter, type ExplorerFilter, Unanswerable } from './filter.ts';

const wallet = walletOf(1);

test.each<ExplorerFilter>([
  {},
  { types: ['BetWon', 'Exchanged'], kind: 'player', wallet },
  { asset: 'token', amount: { minMinor: 0n, maxMinor: 5n } },
  { asset: 'points' },
  { from: '2026-11-21', to: '2026-11-21T13:00:00.5Z', fromPosition: 1, toPosition: 1 },
  { game: 'slot-machine', round: 'id1-1', rules: 'slot-1', correlation: 'c', publicId: 'id1' },
  { command: '0'.repeat(32), actor: 'system:gateway' },
  { wallet: undefined },
])('%o can be answered', (filter) => {
  expect(() => checkFilter(filter)).not.toThrow();
});

test.each<[Record<string, unknown>, string]>([
  [{ player: wallet }, 'events cannot be found by player'],
  [{ toString: 'x' }, 'events cannot be found by toString'],
  [{ types: [] }, 'types is no value'],
  [{ types: ['BetRefused'] }, 'types is no value'],
  [{ types: 'BetWon' }, 'types is no value'],
  [{ kind: 'house' }, 'kind is no value'],
  [{ wallet: 'short' }, 'wallet is no value'],
  [{ wallet, publicId: 'id1' }, 'not both'],
  [{ amount: { minMinor: 1n } }, 'say which'],
  [{ asset: 'gold' }, 'asset is no value'],
  [{ asset: 'points', amount: {} }, 'amount is no value'],
  [{ asset: 'points', amount: { minMinor: -1n } }, 'amount is no value'],
  [{ asset: 'points', amount: { minMinor: 1 } }, 'amount is no value'],
  [{ asset: 'points', amount: { minMinor: 2n, maxMinor: 1n } }, 'amount is no value'],
  [{ from: 'yesterday' }, 'from is no value'],
  [{ from: '2026-13-41' }, 'from is no value'],
  [{ from: '2026-02-30' }, 'from is no value'],
  [{ from: '0000-05-01' }, 'from is no value'],
  [{ from: '2026-11-21T13:00+16:00' }, 'from is no value'],
  [{ from: '2026-11-22', to: '2026-11-21' }, 'from is not before to'],
  [{ fromPosition: 0 }, 'fromPosition is no value'],
  [{ fromPosition: 2, toPosition: 1 }, 'behind'],
  [{ game: '' }, 'game is no value'],
  [{ round: 'r'.repeat(201) }, 'round is no value'],
  [{ command: 'bet' }, 'command is no value'],
  [{ actor: 'me' }, 'actor is no value'],
])('%o is refused', (filter, why) => {
  const check = () => checkFilter(filter as ExplorerFilter);
  expect(check).toThrow(Unanswerable);
  expect(check).toThrow(why);
});
