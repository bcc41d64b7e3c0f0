import { isDeepStrictEqual } from 'node:util';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FailureCode, messageOf, statusOf } from '@reelbook/contract/refusals';
import { assert } from '@reelbook/ledger/assert';
import type { FastifyInstance } from 'fastify';
import type { Limiter } from './limits.ts';

const DOCS_PATH = '/api/docs';

const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Serves OpenAPI from the schemas that validate requests. Must be called before the routes are registered. */
export async function openDocs(
  app: FastifyInstance,
  api: {
    readonly title: string;
    readonly description: string;
    readonly base: string;
    readonly errors: readonly FailureCode[];
    readonly limit: Limiter;
  },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        description: `${api.description}\n\n${errorTable(api.errors)}`,
        version: '1',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: api.base }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    },
    hideUntagged: true,
    convertConstToEnum: false,
    transformObject: (made) => completed('openapiObject' in made ? made.openapiObject : {}),
  });
  await app.register(async (pages) => {
    pages.addHook('onRequest', api.limit);
    await pages.register(swaggerUi, {
      routePrefix: DOCS_PATH,
      staticCSP: POLICY,
      uiConfig: { docExpansion: 'list', persistAuthorization: false },
    });
  });
}

/** The figures of a message are those of the refused request. */
const figures = new Proxy({}, { get: () => '…' });

function errorTable(codes: readonly FailureCode[]): string {
  const rows = codes.map((code) => {
    const message = messageOf(code, figures).replaceAll('?', '…');
    return `| \`${code}\` | ${statusOf(code)} | ${message} |\n`;
  });
  return `| error | status | message |\n| --- | --- | --- |\n${rows.join('')}`;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly minItems?: number;
}

interface Content {
  readonly content?: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
}

interface Document {
  readonly paths?: Readonly<
    Record<string, Record<string, { requestBody?: Content; responses: Record<string, Content> }>>
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

/** With each schema that has a title among the components, and an example of each body whose texts have examples. */
function completed(made: object): Document {
  const operations = Object.values((made as Document).paths ?? {}).flatMap((path) =>
    Object.values(path),
  );
  for (const { requestBody, responses } of operations) {
    for (const part of [requestBody, responses[200]]) {
      for (const [type, body] of Object.entries(part?.content ?? {})) {
        if (type.endsWith('json')) body.example ??= exampleOf(body.schema);
      }
    }
  }
  const schemas: Record<string, unknown> = {};
  const { components, ...document } = withReferences(made, schemas) as Document;
  return { ...document, components: { ...components, schemas } };
}

function withReferences(value: unknown, schemas: Record<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withReferences(one, schemas));
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withReferences(one, schemas)]),
  );
  const { title, type } = copy as Schema;
  if (type !== 'object' || typeof title !== 'string') return copy;
  schemas[title] ??= copy;
  assert(isDeepStrictEqual(schemas[title], copy), `two schemas have the title ${title}`);
  return { $ref: `#/components/schemas/${title}` };
}

/** From the examples of its fields; undefined if a text has none. */
function exampleOf(schema: Schema): unknown {
  const { properties = {}, items, anyOf, minItems = 1, minimum = 1 } = schema;
  if (schema.examples) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const variant = anyOf?.find(({ type }) => type !== 'null');
  if (variant) return exampleOf(variant);
  const [type, other] = [schema.type].flat();
  if (type === 'object') {
    const fields = Object.entries(properties).map(([key, one]) => [key, exampleOf(one)]);
    return fields.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(fields);
  }
  if (type === undefined || other === 'null') return null;
  if (type === 'array') {
    const item = items && exampleOf(items);
    return item === undefined ? undefined : Array(minItems).fill(item);
  }
  if (type === 'boolean') return false;
  return type === 'string' ? undefined : minimum;
}
