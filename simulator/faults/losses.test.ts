import { expect, test } from 'vitest';
import { LOSSES, planLosses } from './losses.ts';

test('a seed gives its plan again, with each loss; two at the same time are of different parts', () => {
  const names = (seed: number, count = LOSSES.length * 2) =>
    planLosses({ count, seed }).map(({ name }) => name);
  expect(names(3)).toEqual(names(3));
  expect(names(4, 5)).not.toEqual(names(3, 5));
  const parts = planLosses({ count: LOSSES.length * 2, seed: 3 }).map(({ part }) =>
    part.split(', '),
  );
  expect(parts.filter((two) => two.length > 1 && two[0] !== two[1])).toHaveLength(
    Math.floor((LOSSES.length * 2) / 3),
  );
  for (const { name } of LOSSES) expect(names(3).join()).toContain(name);
});
