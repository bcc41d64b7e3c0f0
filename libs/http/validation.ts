import { wordsOf } from '@reelbook/contract/errors';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Refused } from './refused.ts';

const parts: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

/**
 * Checks requests against their schemas as they are: nothing is coerced, filled in or removed. Only a query, which
 * knows nothing but text, has its whole numbers read.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema);
  const part = parts[httpPart ?? 'body'] ?? 'request';
  return (data: unknown) => {
    const value = httpPart === 'querystring' ? readNumbers(data) : data;
    if (compiled.Check(value)) return { value };
    const problem = wordsOf(compiled.Errors(value), part);
    return { error: new Refused({ failed: 'bad-input', detail: { problem } }) };
  };
};

function readNumbers(query: unknown): unknown {
  return Object.fromEntries(
    Object.entries(query as object).map(([key, text]) => [
      key,
      typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    ]),
  );
}
