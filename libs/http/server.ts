import { randomBytes } from 'node:crypto';
import type { Logger } from '@reelbook/runtime/log';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { answerClientError, ignoreExpectations } from './client-errors.ts';
import { BODY_MAX_BYTES, failureOf } from './failures.ts';
import { openLimiters } from './limiter.ts';
import { compileSerializer, compileValidator } from './validation.ts';

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
}): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: o.log,
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
  await openLimiters(app);
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
