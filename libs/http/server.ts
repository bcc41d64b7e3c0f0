import { randomBytes } from 'node:crypto';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import rateLimit from '@fastify/rate-limit';
import { textOf } from '@reelbook/contract/errors';
import type { Logger } from '@reelbook/runtime/log';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { answerClientError, ignoreExpectations } from './client-errors.ts';
import { BODY_MAX_BYTES, failureOf } from './failures.ts';
import { Refused } from './refused.ts';

/** Enough that no two requests share one; the ledger has it with every command. */
const REQUEST_ID_BYTES = 12;
/** A client that sends its headers or its body slower than this is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the usual proxy keeps an idle connection, so that it, not we, closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const HEADERS_MAX_BYTES = 16 * 1024;
/** An idempotency key of 128 characters, each of them URL-encoded. */
const PARAM_MAX_LENGTH = 3 * 128;
const LIMIT_WINDOW_MS = 60_000;
/** Callers counted at the same time; beyond, the least recent is forgotten. */
const CALLERS_COUNTED_MAX = 200_000;

/** How one request was answered. `route` is its pattern, not its URL: a URL may hold a token. */
export interface Answered {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** A server without routes, not listening yet: `inject` works on it. Closed with `close()`. */
export async function openServer(o: {
  readonly log: Logger;
  onAnswered(answered: Answered): void;
  /** Whose X-Forwarded-For is believed; null or nothing: no one's. */
  readonly trustedProxies?: readonly string[] | null | undefined;
}): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: o.log,
    trustProxy: o.trustedProxies ? [...o.trustedProxies] : false,
    // What is logged of a request says its id itself; a logger for each would redact for each.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: HEADERS_MAX_BYTES },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => randomBytes(REQUEST_ID_BYTES).toString('hex'),
    requestIdHeader: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _request, reply) => answer(error, reply),
  }) as unknown as FastifyInstance;
  ignoreExpectations(app.server);
  // Clients that call everything JSON say so of a call without a body too.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else void parseJson(request, body as string, done);
  });
  app.setValidatorCompiler(compileValidator as never);
  app.setSerializerCompiler(compileSerializer as never);
  app.setErrorHandler((error, request, reply) => {
    const status = answer(error, reply);
    if (status >= 500) request.log.error({ err: error, id: request.id, status }, 'failed');
  });
  endConnections(app);
  // Hooks with a callback: an async one costs a promise for each request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Referrer-Policy', 'no-referrer');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'none' } = request.routeOptions;
    const { statusCode: status, elapsedTime: ms } = reply;
    o.onAnswered({ route, status, ms });
    request.log.debug({ id: request.id, method: request.method, route, status, ms }, 'answered');
    done();
  });
  await app.register(rateLimit, { global: false, cache: CALLERS_COUNTED_MAX });
  return app;
}

/**
 * Once it closes, every answer is the last of its connection: one that a client keeps for its next request would else
 * hold up the end until the client lets go of it.
 */
function endConnections(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('Connection', 'close');
    done(null, payload);
  });
  // An answer that had begun before has no such header.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (closing) raw.socket.destroySoon();
    done();
  });
}

/** Sends the catalogue's answer to an error. @returns its status. */
function answer(error: unknown, reply: FastifyReply): number {
  const { status, body, retryAfterS } = failureOf(error);
  if (retryAfterS !== null) reply.header('Retry-After', retryAfterS);
  reply.code(status).header('Cache-Control', 'no-store').send(body);
  return status;
}

export type Limiter = (request: FastifyRequest) => Promise<void>;

/** Throws `Refused` with 429 for a key that calls more than `max` times a minute. */
export function limiter(
  app: FastifyInstance,
  max: number,
  keyGenerator: (request: FastifyRequest) => string,
): Limiter {
  const count = app.createRateLimit({ max, timeWindow: LIMIT_WINDOW_MS, keyGenerator });
  return async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) {
      throw new Refused({ failed: 'too-many-requests' }, Math.max(1, counted.ttlInSeconds));
    }
  };
}

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
const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = validators.get(schema) ?? Compile(schema);
  validators.set(schema, compiled);
  const part = parts[httpPart ?? 'body'] ?? 'request';
  return (data: unknown) => {
    const value = httpPart === 'querystring' ? readNumbers(data) : data;
    if (compiled.Check(value)) return { value };
    const problem = textOf(compiled.Errors(value), part);
    return { error: new Refused({ failed: 'bad-input', detail: { problem } }) };
  };
};

/** As Fastify compiles it. */
function compileSerializer(route: { schema: object }): Serializer {
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
