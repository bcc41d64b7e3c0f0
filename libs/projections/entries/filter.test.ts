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
])('%o is valid', (filter) => {
  expect(() => checkFilter(filter)).not.toThrow();
});

test.each<[Record<string, unknown>, string]>([
  [{ player: wallet }, 'unknown filter player'],
  [{ toString: 'x' }, 'unknown filter toString'],
  [{ types: [] }, 'invalid value for types'],
  [{ types: ['BetRefused'] }, 'invalid value for types'],
  [{ types: 'BetWon' }, 'invalid value for types'],
  [{ kind: 'house' }, 'invalid value for kind'],
  [{ wallet: 'short' }, 'invalid value for wallet'],
  [{ wallet, publicId: 'id1' }, 'not both'],
  [{ direction: 'credit' }, 'a direction needs an asset'],
  [{ asset: 'gold' }, 'invalid value for asset'],
  [{ asset: 'points', amount: {} }, 'invalid value for amount'],
  [{ asset: 'points', amount: { minMinor: -1n } }, 'invalid value for amount'],
  [{ asset: 'points', amount: { minMinor: 1 } }, 'invalid value for amount'],
  [{ asset: 'points', amount: { minMinor: 2n, maxMinor: 1n } }, 'invalid value for amount'],
  [{ from: 'yesterday' }, 'invalid value for from'],
  [{ from: '2026-13-41' }, 'invalid value for from'],
  [{ from: '2026-02-30' }, 'invalid value for from'],
  [{ from: '0000-05-01' }, 'invalid value for from'],
  [{ from: '2026-11-21T13:00+16:00' }, 'invalid value for from'],
  [{ from: '2026-11-22', to: '2026-11-21' }, 'from must be before to'],
  [{ fromPosition: 0 }, 'invalid value for fromPosition'],
  [{ fromPosition: 2, toPosition: 1 }, 'fromPosition is after toPosition'],
  [{ game: '' }, 'invalid value for game'],
  [{ round: 'r'.repeat(201) }, 'invalid value for round'],
  [{ command: 'bet' }, 'invalid value for command'],
  [{ actor: 'me' }, 'invalid value for actor'],
])('%o is refused', (filter, why) => {
  const check = () => checkFilter(filter as ExplorerFilter);
  expect(check).toThrow(Unanswerable);
  expect(check).toThrow(why);
});
