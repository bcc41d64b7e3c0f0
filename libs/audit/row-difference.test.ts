import { expect, test } from 'vitest';
import { describeDifference } from './projections-check.ts';

const AMOUNTS = ['delta', 'net'];
const COLUMNS = ['wallet', 'delta', 'outcome', 'note'];
const of = (live: string | null, replayed: string | null, columns = COLUMNS) =>
  describeDifference(
    { live, replayed },
    columns.map((name) => ({ name, isAmount: AMOUNTS.includes(name) })),
  );

test('names the columns that differ', () => {
  const live = '(Anna,1500,"{""a"": 1, ""b"": 2}",)';
  expect(of(live, '(Anna,1600,"{""a"": 1, ""b"": 2}",)')).toBe(
    'row Anna: delta is 15 points, a replay gives 16 points',
  );
  expect(of(live, '(Anna,1500,"{""a"": 1, ""b"": 3}",x)')).toBe(
    'row Anna: outcome is {"a": 1, "b": 2}, a replay gives {"a": 1, "b": 3}; note is empty, a replay gives x',
  );
});

test('an amount has the unit of its row or of its column', () => {
  const columns = ['line', 'asset', 'delta'];
  expect(of('(house,token,-1500000000)', '(house,token,0)', columns)).toBe(
    'row house: delta is -1.5 BSM, a replay gives 0 BSM',
  );
  expect(of('(house,points,-150)', '(house,points,)', columns)).toBe(
    'row house: delta is -1.5 points, a replay gives empty',
  );
  expect(of('(id,1500000000)', null, ['withdrawal', 'net'])).toBe(
    'has the row withdrawal id, net 1.5 BSM; a replay gives none',
  );
});

test('shows complete rows of other keys, and missing ones', () => {
  const [anna, bert] = ['Anna', 'Bert'].map(
    (name) => `wallet ${name}, delta 0.01 points, outcome x, note y`,
  );
  expect(of('(Anna,1,x,y)', '(Bert,1,x,y)')).toBe(`has ${anna}; a replay gives ${bert}`);
  expect(of(null, '(Anna,1,x,y)')).toBe(`has no row ${anna}`);
  expect(of('(Anna,1,x,y)', null)).toBe(`has the row ${anna}; a replay gives none`);
  expect(of('(odd)', '(odd)')).toMatch(/^has \(odd\)/);
});
