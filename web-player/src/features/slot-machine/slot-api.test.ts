import { expect, test } from 'vitest';
import { type ShownRound, withPlayed } from './slot-api.ts';

const at = (position: number) => ({ position, round_id: `r${position}` }) as ShownRound;
const positions = (rounds: readonly ShownRound[]) => rounds.map(({ position }) => position);

test('a round that the server does not list yet comes before those it does', () => {
  expect(positions(withPlayed([at(8), at(6)], [at(12), at(10), at(8)]))).toEqual([12, 10, 8, 6]);
  expect(positions(withPlayed([], [at(2)]))).toEqual([2]);
});

test('a listed round is not shown twice, and the list has ten rows', () => {
  const listed = Array.from({ length: 10 }, (_, i) => at(100 - i));
  expect(withPlayed(listed, [at(100), at(99)])).toEqual(listed);
  expect(positions(withPlayed(listed, [at(101)]))).toEqual([
    101, 100, 99, 98, 97, 96, 95, 94, 93, 92,
  ]);
});
