import { expect, test } from 'vitest';
import { describeDifference } from './projections-check.ts';

const COLUMNS = ['wallet', 'delta', 'outcome', 'note'];
const of = (live: string | null, replayed: string | null) =>
  describeDifference({ live, replayed }, COLUMNS);

test('names the columns that differ', () => {
  const live = '(Anna,1500,"{""a"": 1, ""b"": 2}",)';
  expect(of(live, '(Anna,1600,"{""a"": 1, ""b"": 2}",)')).toBe(
    'row Anna: delta is 1500, a replay gives 1600',
  );
  expect(of(live, '(Anna,1500,"{""a"": 1, ""b"": 3}",x)')).toBe(
    'row Anna: outcome is {"a": 1, "b": 2}, a replay gives {"a": 1, "b": 3}; note is empty, a replay gives x',
  );
});

test('shows complete rows of other keys, and missing ones', () => {
  expect(of('(Anna,1,x,y)', '(Bert,1,x,y)')).toBe('has (Anna,1,x,y); a replay gives (Bert,1,x,y)');
  expect(of(null, '(Anna,1,x,y)')).toBe('has no row (Anna,1,x,y)');
  expect(of('(Anna,1,x,y)', null)).toBe('has the row (Anna,1,x,y); a replay gives none');
  expect(of('(odd)', '(odd)')).toMatch(/^has \(odd\)/);
});
