import { closed, envelopeOf } from '@reelbook/contract/common';
import type { Failure } from '@reelbook/contract/errors';
import { IDEMPOTENCY_HEADER, POSITION_HEADER, type Route } from '@reelbook/contract/route';
import type { Executed } from '@reelbook/event-store/execution';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { Rejection } from '@reelbook/ledger/rejections';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';

export interface Reply<Data> {
  readonly data: Data;
  /** Position of a command in the ledger. */
  readonly position?: number;
}

/** Unknown query parameters are refused in every call, also in one without a query. */
const NO_QUERY = closed({});

const TEXT = Type.String();

const envelopes = new WeakMap<TSchema, TSchema>();
const failure = envelopeOf(
  Type.Object(
    { error: Type.String({ examples: ['bad-input'] }) },
    { additionalProperties: true, description: 'A code, and the figures of its message' },
  ),
  { title: 'Error', description: 'Refused' },
);

/** Of a call without a schema of its answer. */
const ANY = Type.Unsafe<unknown>({ examples: [{}] });

/** Returns the same object for the same schema, so that each process compiles it once. */
function envelope(data: TSchema = ANY): TSchema {
  const made = envelopes.get(data) ?? envelopeOf(data, { description: 'Success' });
  envelopes.set(data, made);
  return made;
}

/**
 * `admit` runs before the body is read: authentication, rate limits, authorization. `check` runs after it, as a body may
 * arrive seconds later: what `admit` allowed may have ended.
 */
export function addRoute(
  app: FastifyInstance,
  name: string,
  route: Route,
  options: {
    admit(request: FastifyRequest): Promise<void>;
    check(request: FastifyRequest): Promise<void>;
    handle(request: FastifyRequest): Promise<Reply<unknown>>;
  },
): void {
  app.route({
    method: route.method,
    url: route.path,
    schema: {
      ...schemaOf(name, route),
      response: { 200: envelope(route.data), '4xx': failure, '5xx': failure },
    },
    onRequest: options.admit,
    ...(route.method === 'GET' ? {} : { preValidation: options.check }),
    async handler(request, reply) {
      const { data, position } = await options.handle(request);
      reply.header('Cache-Control', 'no-store');
      if (position !== undefined) reply.header(POSITION_HEADER, position);
      return { code: 200, message: 'success', data };
    },
  });
}

/** Like `addRoute`, for a file response: `send` sends it or throws `Refused`. */
export function addFileRoute(
  app: FastifyInstance,
  name: string,
  route: Route,
  options: {
    admit(request: FastifyRequest): Promise<void>;
    send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  },
): void {
  app.route({
    method: route.method,
    url: route.path,
    // A HEAD request would generate the entire file.
    exposeHeadRoute: false,
    schema: {
      ...schemaOf(name, route),
      response: { 200: fileOf(route), '4xx': failure, '5xx': failure },
    },
    onRequest: options.admit,
    handler: (request, reply) => options.send(request, reply),
  });
}

/** What validates a request, and describes the call in OpenAPI. */
const schemaOf = (name: string, route: Route) => ({
  operationId: name,
  summary: route.summary,
  description: `Who may call it: ${route.access}.`,
  tags: [route.tag],
  security: route.access === 'public' ? [] : [{ token: [] }],
  ...(route.params ? { params: route.params } : {}),
  querystring: route.query ?? NO_QUERY,
  ...(route.headers ? { headers: route.headers } : {}),
  ...(route.body ? { body: route.body } : {}),
});

function fileOf({ data, file }: Route) {
  assert(file, 'a route of a file has its types');
  const { types, description } = file;
  const schemas = types.map((type) => [type, { schema: (type.endsWith('json') && data) || TEXT }]);
  return { description, content: Object.fromEntries(schemas) };
}

/** The idempotency key of a request. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers[IDEMPOTENCY_HEADER.toLowerCase()];
  return typeof key === 'string' ? key : undefined;
}

/** The bearer token of a request, or null. */
export function tokenOf(request: FastifyRequest): string | null {
  return /^Bearer ([\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/** Thrown to end a request with a refusal of the catalogue. */
export class Refused extends Error {
  override readonly name = 'Refused';
  override readonly cause: Rejection | Failure;
  readonly retryAfterS: number | undefined;

  constructor(cause: Rejection | Failure, retryAfterS?: number) {
    super('failed' in cause ? cause.failed : cause.rejected);
    this.cause = cause;
    this.retryAfterS = retryAfterS;
  }
}

type Done<State, Event> = Extract<Executed<State, Event>, { kind: 'done' }>;

/** The result of an executed command; throws `Refused` for a refused one. */
export function settled<State, Event extends LedgerEvent>(
  executed: Executed<State, Event>,
): Done<State, Event> {
  switch (executed.kind) {
    case 'done':
      return executed;
    case 'refused':
      throw new Refused(executed.rejection);
    case 'key-reused':
      throw new Refused({ failed: 'idempotency-key-reused' });
  }
}
