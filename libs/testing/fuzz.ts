import fc from 'fast-check';

/** Requests as no honest client makes them: from a schema, and against it. All from fast-check, so a seed repeats them. */

/** As much of JSON Schema as the contract's schemas use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const TEXT_MAX = 40;
const DEEP = 3_000;

// biome-ignore format: several a line
const NUMBERS = [
  0, -0, 1, -1, 0.1, 0.01, 1e-7, 1e-9, 1e-10, 1.5, 100, 1_000, 1_001, 10_000, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e15, 1e18,
  1e19, 1e21, 1e308, -1e308, 5e-324,
];
// biome-ignore format: several a line
const TEXTS = [
  '', ' ', '0', '-1', '1e3', 'null', 'true', '[object Object]', '__proto__', 'constructor', '\u0000', 'a\u0000b',
  '\u001b[31m', '\n', '\ud800', '\udc00x', '\ufeff', '\u202eabc', '\u200b', '🎰', '👩‍🚀'.repeat(20), 'é', 'e\u0301', '\uffff',
  'x'.repeat(5_000), '%00', '%', '%zz', "'; drop table events; --", '../../etc/passwd', '{{7*7}}', '<script>', '\\', '"',
  ':', 'a:b',
];

const edgeNumber = fc.constantFrom(...NUMBERS);
const edgeText = fc.constantFrom(...TEXTS);
const text = (maxLength: number) =>
  fc.oneof(fc.string({ maxLength }), fc.string({ maxLength, unit: 'binary' }), edgeText);

/** Any JSON value, the odder the likelier. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [null], { '': '' }, { toString: 1 }, [[[[]]]]),
  edgeNumber,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text(TEXT_MAX),
  fc.jsonValue({ maxDepth: 4 }),
);

/** A value that the schema allows, its edges included. */
export function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const parts = Object.entries(schema.properties ?? {});
      const record = Object.fromEntries(parts.map(([key, part]) => [key, valueFor(part)]));
      return fc.record(record, { requiredKeys: [...(schema.required ?? [])] });
    }
    case 'string':
      return schema.pattern === undefined
        ? text(Math.min(schema.maxLength ?? TEXT_MAX, TEXT_MAX))
        : fc.stringMatching(new RegExp(schema.pattern));
    case 'integer': {
      const { minimum: min = -(2 ** 53) + 1, maximum: max = 2 ** 53 - 1 } = schema;
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, min + 50) }));
    }
    case 'number':
      return fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 20 }) },
        { weight: 2, arbitrary: edgeNumber },
        { weight: 1, arbitrary: fc.double({ noNaN: true }) },
      );
    default:
      return oddValue;
  }
}

/** An object of the schema with one thing wrong: a field of another kind, one missing, one too many; or none at all. */
export function valueAgainst(schema: Schema): fc.Arbitrary<unknown> {
  const keys = Object.keys(schema.properties ?? {});
  if (keys.length === 0) return oddValue;
  const right = valueFor(schema) as fc.Arbitrary<Record<string, unknown>>;
  const key = fc.constantFrom(...keys);
  return fc.oneof(
    fc.tuple(right, key, oddValue).map(([value, name, odd]) => ({ ...value, [name]: odd })),
    fc.tuple(right, key).map(([{ ...value }, name]) => {
      delete value[name];
      return value;
    }),
    fc.tuple(right, text(TEXT_MAX), oddValue).map(([value, name, odd]) => ({
      ...value,
      [name]: odd,
    })),
    oddValue,
  );
}

const BODIES = [
  '',
  ' ',
  '{',
  '}',
  'null',
  '[]',
  '"',
  '{"bet_amount":1e999}',
  '{"bet_amount":-0}',
  'NaN',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '['.repeat(DEEP),
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  '{"a":'.repeat(DEEP),
  '{"bet_amount":1}garbage',
  '{"bet_amount":0x10}',
  `{"bet_amount":${'9'.repeat(2_000)}}`,
  `{"padding":"${'x'.repeat(17_000)}"}`,
];

/** The text of a body: of the schema, against it, or no JSON at all. */
export function bodyText(schema: Schema | undefined): fc.Arbitrary<string | Buffer> {
  const json = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one) ?? '');
  return fc.oneof(
    { weight: 4, arbitrary: json(schema ? valueFor(schema) : oddValue) },
    { weight: 6, arbitrary: json(schema ? valueAgainst(schema) : oddValue) },
    { weight: 2, arbitrary: fc.constantFrom(...BODIES) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
}

// biome-ignore format: several a line
const SEGMENTS = [
  '', '.', '..', '%2e%2e', '..%2f', '%00', '%zz', '%', '%ff', '%c0%ae', '%f0%9f%8e%b0', '*', ';', 'a'.repeat(300),
  'a'.repeat(9_000), '%20', '+', "'", '"', '|', '{id}', ':id', '0', '-1', '1e9',
];

/** One segment of a path, as it goes over the wire. */
export function segmentOf(schema: Schema | undefined): fc.Arbitrary<string> {
  const fits = schema ? valueFor(schema).map((value) => percent(textOf(value))) : null;
  const odd = fc.oneof(fc.constantFrom(...SEGMENTS), text(TEXT_MAX).map(percent));
  return fits ? fc.oneof(fits, odd) : odd;
}

/** The query of a request, `?` included, or nothing. */
export function queryOf(schema: Schema | undefined): fc.Arbitrary<string> {
  const pairs = (value: unknown) =>
    Object.entries(Object(value) as object).map(([k, v]) => `${percent(k)}=${percent(textOf(v))}`);
  const written = (value: fc.Arbitrary<unknown>) => value.map((one) => `?${pairs(one).join('&')}`);
  return fc.oneof(
    fc.constant(''),
    written(schema ? valueFor(schema) : oddValue),
    written(schema ? valueAgainst(schema) : oddValue),
    fc.constantFrom('?', '??', '?&&&=', '?page=1&page=2', '?page[]=1', '?%zz=%zz', '?a=%00', '?=#'),
  );
}

/** An object may have a `toString` of its own that is none. */
const textOf = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Percent-encoded bytes; what is no Unicode goes as its replacement. */
function percent(value: string): string {
  return [...Buffer.from(value, 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
