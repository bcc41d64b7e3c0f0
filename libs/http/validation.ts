import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { wordsOf } from '@reelbook/contract/errors';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Refused } from './refused.ts';

const parts: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

type Serializer = (data: unknown) => string;

/** Compiled once in a process: schemas are constant, and servers of one process share routes. */
const validators = new WeakMap<TSchema, Validator>();
const serializers = new WeakMap<object, Serializer>();
const buildSerializer = SerializerSelector()({}, {});

/**
 * Checks requests against their schemas as they are: nothing is coerced, filled in or removed. Only a query, which
 * knows nothing but text, has its whole numbers read.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = validators.get(schema) ?? Compile(schema);
  validators.set(schema, compiled);
  const part = parts[httpPart ?? 'body'] ?? 'request';
  return (data: unknown) => {
    const value = httpPart === 'querystring' ? readNumbers(data) : data;
    if (compiled.Check(value)) return { value };
    const problem = wordsOf(compiled.Errors(value), part);
    return { error: new Refused({ failed: 'bad-input', detail: { problem } }) };
  };
};

/** As Fastify compiles it. */
export function compileSerializer(route: { schema: object }): Serializer {
  const serializer: Serializer =
    serializers.get(route.schema) ??
    buildSerializer(route as Parameters<typeof buildSerializer>[0]);
  serializers.set(route.schema, serializer);
  return serializer;
}

function readNumbers(query: unknown): unknown {
  return Object.fromEntries(
    Object.entries(query as object).map(([key, text]) => [
      key,
      typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    ]),
  );
}
