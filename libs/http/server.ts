import type { Server } from 'node:http';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { textOf } from '@reelbook/contract/errors';
import { drawBytes } from '@reelbook/event-store/random';
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
import { answerClientError, BODY_MAX_BYTES, failureOf, ignoreExpectations } from './failures.ts';
import { clientAddress } from './limits.ts';
import { Refused } from './routes.ts';

/** All connections of a server. With all live sockets open (20,000), 5,000 remain for calls. */
const CONNECTIONS_MAX = 25_000;
/** Of one address, so that it cannot take the places of all others. */
const CONNECTIONS_PER_ADDRESS_MAX = 4_000;

/** Closes further connections immediately. Connections of proxies serve many clients: `perAddress` is then null. */
export function limitConnections(
  server: Server,
  perAddress: number | null = CONNECTIONS_PER_ADDRESS_MAX,
): void {
  server.maxConnections = CONNECTIONS_MAX;
  if (perAddress === null) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = clientAddress({ ip: socket.remoteAddress });
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > perAddress) socket.destroy();
  });
}

/**
 * Maximum lines per code and window: a client can neither fill the disk nor hide one kind of refusal after another.
 * Metrics count every refusal by route and status.
 */
export const REFUSALS_PER_CODE_MAX = 20;
const WINDOW_MS = 60_000;

/**
 * Logs refused logins, sessions, roles, limits and malformed requests with the address of the client. Refusals by rules
 * of the ledger, such as a bet above the balance, are not logged.
 */
function openRefusalLog(
  log: Logger,
): (error: unknown, request: FastifyRequest, status: number) => void {
  let windowStart = Number.NEGATIVE_INFINITY;
  let counts = new Map<string, number>();

  function startWindow(now: number): void {
    for (const [error, count] of counts) {
      const omitted = count - REFUSALS_PER_CODE_MAX;
      if (omitted > 0) log.warn({ error, omitted }, 'refusals were not logged');
    }
    windowStart = now;
    counts = new Map();
  }

  return (error, request, status) => {
    if (error instanceof Refused && 'rejected' in error.cause && status !== 403) return;
    const now = performance.now();
    if (now - windowStart > WINDOW_MS) startWindow(now);
    const code = codeOf(error);
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > REFUSALS_PER_CODE_MAX) return;
    const { id, ip: address, method } = request;
    const route = request.routeOptions?.url ?? 'none';
    log.info({ id, address, method, route, status, error: code }, 'refused');
  };
}

/** One of the catalogue or of Fastify; the number of different ones is limited. */
function codeOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** Large enough to be unique; recorded in the ledger with every command. */
const REQUEST_ID_BYTES = 12;
/** A client that takes longer to send its headers or its request is disconnected. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Interval of the check of both, and so their precision. Node's default is 30 s. */
const TIMEOUTS_CHECKED_EVERY_MS = 5_000;
/** A connection without any traffic for this time, such as a client that does not read its response, is closed. */
const IDLE_TIMEOUT_MS = 120_000;
/** Longer than the keep-alive timeout of common proxies, so that the proxy closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const HEADERS_MAX_BYTES = 16 * 1024;
/** An idempotency key of 128 characters, each URL-encoded. */
const PARAM_MAX_LENGTH = 3 * 128;

/** For responses that are not files: nothing is loaded or executed, also when a browser opens one as a page. */
const NO_PAGE_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** A completed request. `route` is the pattern, not the URL: a URL may contain a token. */
interface Completed {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** Creates a server without routes that does not listen yet; `inject` works. Close it with `close()`. */
export function openServer(options: {
  readonly log: Logger;
  onCompleted(completed: Completed): void;
  /** Proxies whose X-Forwarded-For is trusted; null: none. */
  readonly trustProxy?: readonly string[] | null | undefined;
}): FastifyInstance {
  const logRefusal = openRefusalLog(options.log);
  const app = Fastify({
    loggerInstance: options.log,
    trustProxy: options.trustProxy ? [...options.trustProxy] : false,
    // Log lines contain the request id; a child logger per request would repeat the redaction set-up.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => drawBytes(REQUEST_ID_BYTES, 'request id', '').toString('hex'),
    requestIdHeader: false,
    clientErrorHandler: answerClientError,
    // Without hooks: the URL is invalid.
    frameworkErrors(error, request, reply) {
      addSecurityHeaders(reply);
      logRefusal(error, request, sendFailure(error, reply));
    },
  }) as unknown as FastifyInstance;
  ignoreExpectations(app.server);
  // With proxies, all connections may come from one address: the proxy limits those of its clients.
  limitConnections(app.server, options.trustProxy ? null : undefined);
  // Some clients send the JSON content type without a body.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else void parseJson(request, body as string, done);
  });
  app.setValidatorCompiler(compileValidator as never);
  app.setSerializerCompiler(compileSerializer as never);
  app.setErrorHandler((error, request, reply) => {
    const status = sendFailure(error, reply);
    if (status >= 500) request.log.error({ err: error, id: request.id, status }, 'failed');
    else logRefusal(error, request, status);
  });
  closeConnections(app);
  // Hooks with a callback: an async hook allocates a promise per request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    addSecurityHeaders(reply);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'none' } = request.routeOptions;
    const { statusCode: status, elapsedTime: ms } = reply;
    options.onCompleted({ route, status, ms });
    request.log.debug({ id: request.id, method: request.method, route, status, ms }, 'completed');
    done();
  });
  return app;
}

function addSecurityHeaders(reply: FastifyReply): void {
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('Referrer-Policy', 'no-referrer');
  reply.header('Content-Security-Policy', NO_PAGE_POLICY);
  // Wallets may open popups.
  reply.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
}

/**
 * While the server closes, each response ends its connection. A kept-alive connection would block the close until the
 * client drops it.
 */
function closeConnections(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('Connection', 'close');
    done(null, payload);
  });
  // A response that started earlier does not have the header.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (closing) raw.socket.destroySoon();
    done();
  });
}

/** Sends the response to an error. @returns its status. */
function sendFailure(error: unknown, reply: FastifyReply): number {
  const { status, body, retryAfterS } = failureOf(error);
  if (retryAfterS !== null) reply.header('Retry-After', retryAfterS);
  reply.code(status).header('Cache-Control', 'no-store').send(body);
  return status;
}

const parts: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

type Serializer = (data: unknown) => string;

/** Compiled once per process: schemas are constant, and servers of one process share routes. */
const validators = new WeakMap<TSchema, Validator>();
const serializers = new WeakMap<object, Serializer>();
const buildSerializer = SerializerSelector()({}, {});

/**
 * Validates requests without coercing, defaulting or removing anything. Exception: integers in a query string are parsed,
 * because a query has only text.
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

/** Fastify's serializer, cached. */
function compileSerializer(route: { schema: object }): Serializer {
  const serializer: Serializer =
    serializers.get(route.schema) ??
    buildSerializer(route as Parameters<typeof buildSerializer>[0]);
  serializers.set(route.schema, serializer);
  return serializer;
}

/** Only texts that the number prints again, so that a text such as `007` is searched for as it is. */
function readNumbers(query: unknown): unknown {
  return Object.fromEntries(
    Object.entries(query as object).map(([key, text]) => {
      const value = Number(text);
      return [key, Number.isSafeInteger(value) && String(value) === text ? value : text];
    }),
  );
}
