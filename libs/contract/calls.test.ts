import { expect, test } from 'vitest';
import { adminRoutes } from './admin/routes.ts';
import { type Call, hasShape, type Shape } from './client.ts';
import { routes } from './player/routes.ts';
import type { Route, Routes } from './route.ts';

interface Schema {
  readonly type?: unknown;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maximum?: number;
}

const KINDS = { number: 'number', integer: 'number', array: 'array', object: 'object' } as const;
/** The app reads the balances itself: they may be texts. */
const BALANCES: ReadonlySet<string> = new Set(['balance', 'token_balance', 'points_balance']);
const isNamed = (type: unknown): type is keyof typeof KINDS => String(type) in KINDS;

function shapeOf({ type, required = [], properties = {} }: Schema): Shape {
  if (type === 'array') return type;
  if (type !== 'object') throw new Error(`the data of a call is a list or an object, not ${type}`);
  const checked = required.filter(
    (name) => !('points_balance' in properties && BALANCES.has(name)),
  );
  const kinds = checked.map((name) => [name, properties[name]?.type] as const);
  return Object.fromEntries(
    kinds.flatMap(([name, kind]) => (isNamed(kind) ? [[name, KINDS[kind]]] : [])),
  );
}

const callOf = ({ method, path, access, data }: Route): Call => ({
  method,
  path,
  secured: access !== 'public',
  ...(data ? { shape: shapeOf(data as Schema) } : {}),
});

const textOf = (
  type: string,
  all: Routes,
) => `// Written from routes.ts by \`npx vitest run --config libs/testing/vitest.config.ts --project unit libs/contract/calls -u\`.
import type { Call } from '../client.ts';
import type { ${type} } from './routes.ts';

/** What a browser needs of each route, without the schemas. */
// biome-ignore format: a line a call
export const calls: Readonly<Record<${type}, Call>> = {
${Object.entries(all)
  .map(([name, route]) => `  ${name}: ${literal(callOf(route))},\n`)
  .join('')}};
`;

/** TypeScript source; names and values need no escapes. */
const literal = (value: object): string =>
  JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll('"', "'")
    .replaceAll('}', ' }');

test.each([
  ['player', 'RouteName', routes],
  ['admin', 'AdminRouteName', adminRoutes],
])('calls.ts of the %s API is up to date with its routes', async (api, type, all) => {
  await expect(textOf(type, all)).toMatchFileSnapshot(`./${api}/calls.ts`);
});

test.each([
  ['array', [], true],
  ['array', {}, false],
  [{}, {}, true],
  [{}, null, false],
  [{}, [], false],
  [{ items: 'array', total: 'number' }, { items: [], total: 0, more: 1 }, true],
  [{ items: 'array', total: 'number' }, { items: {}, total: 0 }, false],
  [{ items: 'array', total: 'number' }, { items: [], total: '0' }, false],
  [{ items: 'array', total: 'number' }, { items: [], total: Number.NaN }, false],
  [{ items: 'array', total: 'number' }, 'items', false],
  [{ user: 'object' }, { user: null }, false],
  [{ user: 'object' }, { user: [] }, false],
  [{ user: 'object' }, { user: { a: 1 } }, true],
  [undefined, [], true],
  [undefined, {}, true],
  [undefined, null, false],
  [undefined, 'text', false],
] as const)('%j of %j: %s', (shape, data, isFitting) => {
  expect(hasShape(shape, data)).toBe(isFitting);
});

test('the pages of each list of operators have up to 200 rows, for files', () => {
  const limits = Object.values(adminRoutes as Routes).flatMap(
    ({ query }) => (query as Schema | undefined)?.properties?.limit ?? [],
  );
  expect(limits.length).toBeGreaterThan(8);
  for (const { maximum } of limits) expect(maximum).toBeGreaterThanOrEqual(200);
});
