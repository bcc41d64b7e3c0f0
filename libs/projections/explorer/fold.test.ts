import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const anna = walletOf(1);

test('an entry for every event, with what it gave the player', () => {
  const history = createHistory();
  history.register(anna);
  history.bet(anna, 500n, 700n);
  history.exchange(anna, 'points', 1_000n);
  history.setBigWinMultiple(5);
  const events = history.recorded();
  const { entries, names } = fold(events);
  expect(entries.map(({ position }) => position)).toEqual(events.map((one) => one.position));
  expect(names).toEqual([{ wallet: anna, publicId: 'id1', nickname: null }]);
  const of = (type: string) => entries.find((entry) => entry.type === type);
  expect(of('PlayerRegistered')).toMatchObject({ wallet: anna, pointsMinor: null, game: null });
  expect(of('WelcomeGranted')).toMatchObject({ pointsMinor: 100_000n, tokenMinor: null });
  const bet = { game: 'slot-machine', round: 'id1-1' };
  expect(of('BetPlaced')).toMatchObject({ ...bet, rules: 'slot-1', pointsMinor: -500n });
  expect(of('BetWon')).toMatchObject({ ...bet, rules: null, pointsMinor: 700n });
  expect(of('Exchanged')).toMatchObject({ pointsMinor: -1_000n, tokenMinor: 100_000_000n });
  expect(of('ConfigChanged')).toMatchObject({ kind: 'config', wallet: null, version: 1 });
});

test('the actor is named where it is not the player of the stream', () => {
  const history = createHistory();
  history.register(anna);
  const [told] = history.recorded();
  if (!told) throw new Error('nothing was told');
  const by = (actor: string) =>
    fold([{ ...told, meta: { ...told.meta, actor } }]).entries[0]?.actor;
  expect(by(`player:${anna}`)).toBeNull();
  expect(by('operator:x')).toBe('operator:x');
});
