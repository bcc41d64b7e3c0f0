import { expect, test } from 'vitest';
import { CHANGES_MAX, findChanges, toPlain } from './point-in-time.ts';

test('reports every leaf that differs, with its path from the root', () => {
  const before = { a: 1, list: [1, 2], gone: { deep: true }, same: { x: 'y' } };
  const after = { a: 2, list: [1, 3, 4], same: { x: 'y' }, kind: { new: null } };
  expect(findChanges(before, after)).toEqual([
    { path: ['a'], kind: 'changed', before: 1, after: 2 },
    { path: ['list', '1'], kind: 'changed', before: 2, after: 3 },
    { path: ['list', '2'], kind: 'added', before: null, after: 4 },
    { path: ['gone'], kind: 'removed', before: { deep: true }, after: null },
    { path: ['kind'], kind: 'added', before: null, after: { new: null } },
  ]);
  expect(findChanges(after, after)).toEqual([]);
});

test('a list that becomes an object is one change, and the number of changes is limited', () => {
  expect(findChanges({ a: [] }, { a: {} })).toHaveLength(1);
  const many = Object.fromEntries(Array.from({ length: 2 * CHANGES_MAX }, (_, n) => [n, n]));
  expect(findChanges({}, many)).toHaveLength(CHANGES_MAX);
});

test('amounts are decimal text', () => {
  expect(toPlain({ pointsMinor: 5n, none: undefined })).toEqual({ pointsMinor: '5' });
});
