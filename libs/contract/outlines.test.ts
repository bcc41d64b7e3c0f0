import { expect, test } from 'vitest';
import { fits, outlines } from './outlines.ts';
import { routes } from './routes.ts';

interface Schema {
  readonly type?: unknown;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const MARKS: Readonly<Record<string, string>> = {
  number: '#',
  integer: '#',
  array: '[]',
  object: '{}',
};

function outlineOf({ type, required = [], properties = {} }: Schema): string {
  if (type === 'array') return '[]';
  const named = required.map((name) => [name, MARKS[String(properties[name]?.type)]]);
  return named.flatMap(([name, mark]) => (mark ? [`${name}${mark}`] : [])).join(' ');
}

test('the outlines are those of the schemas, but for two whose callers judge the answer', () => {
  const { login: _, exchange: __, ...checked } = routes;
  const derived = Object.entries(checked).map(([name, { data }]) => [
    name,
    outlineOf(data as Schema),
  ]);
  expect(outlines).toEqual(Object.fromEntries(derived));
});

test.each([
  ['[]', [], true],
  ['[]', {}, false],
  ['', {}, true],
  ['', null, false],
  ['', [], false],
  ['items[] total#', { items: [], total: 0, more: 1 }, true],
  ['items[] total#', { items: {}, total: 0 }, false],
  ['items[] total#', { items: [], total: '0' }, false],
  ['items[] total#', { items: [], total: Number.NaN }, false],
  ['items[] total#', 'items', false],
  ['user{}', { user: null }, false],
  ['user{}', { user: { a: 1 } }, true],
])('%j of %j: %s', (outline, data, isFitting) => {
  expect(fits(outline, data)).toBe(isFitting);
});
