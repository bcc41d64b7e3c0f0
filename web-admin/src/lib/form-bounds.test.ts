/** A form lets an operator type what the request of its route accepts, and nothing longer. */
import { type AdminRouteName, adminRoutes } from '@reelbook/contract/admin/routes';
import type { Route } from '@reelbook/contract/route';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { listFiles, read } from '@reelbook/testing/repository';
import { expect, test } from 'vitest';

interface Schema {
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
const routes = adminRoutes as unknown as Readonly<
  Record<string, Omit<Route, 'body'> & { readonly body?: Schema }>
>;
const fieldOf = (route: AdminRouteName, ...path: readonly string[]) =>
  path.reduce<Schema | undefined>(
    (schema, name) => schema?.properties?.[name] ?? schema?.items?.properties?.[name],
    routes[route]?.body,
  ) ?? {};

/** The longest text that a schema accepts. Of a number, the longest that accepts any digits. */
function longestOf({ maxLength, pattern, maximum }: Schema): number | undefined {
  if (maximum !== undefined) return String(maximum).length - 1;
  return maxLength ?? Number(/,(\d+)\}\$$/.exec(pattern ?? '')?.[1]);
}

const sources = listFiles('web-admin/src', /\.tsx$/)
  .filter((path) => !/\.test\.tsx$/.test(path))
  .map(read);

/** The fields of requests behind the text fields of forms, by their labels. */
const FIELDS: Readonly<Record<string, Schema>> = {
  Name: fieldOf('nameOperator', 'name'),
  Wallet: fieldOf('addOperator', 'operator'),
  'Finalized block height at which you checked': fieldOf('markExpired', 'block_height'),
};

test('every text field of a form is as long as its field of the request', () => {
  const fields = sources.flatMap((text) => [...text.matchAll(/\btextField\('([^']+)', (\w+)/g)]);
  const bounds = Object.fromEntries(fields.map(([, label, bound]) => [label, Number(bound)]));
  const expected = Object.entries(FIELDS).map(([label, schema]) => [label, longestOf(schema)]);
  expect(bounds).toEqual(Object.fromEntries(expected));
});

test('a reason and a note are as long as in the request of every action', () => {
  const texts = Object.entries(routes).flatMap(([name, { body }]) =>
    ['reason', 'note'].flatMap((field) => {
      const schema = body?.properties?.[field];
      return schema ? [[`${name}.${field}`, schema.maxLength] as const] : [];
    }),
  );
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter(([, maxLength]) => maxLength !== REASON_MAX_LENGTH)).toEqual([]);
  const dialog = sources.find((text) => text.includes('function ActionDialog('));
  expect([...(dialog?.matchAll(/maxLength=\{(\w+)\}/g) ?? [])].map(([, bound]) => bound)).toEqual([
    'maxLength',
    'REASON_MAX_LENGTH',
  ]);
});

test('a value of the configuration is as long as in the request', () => {
  const [, bound] = /const VALUE_MAX = (\d+);/.exec(sources.join('\n')) ?? [];
  const { maxLength } = fieldOf('changeConfiguration', 'changes', 'value');
  expect(Number(bound)).toBe(maxLength);
});
