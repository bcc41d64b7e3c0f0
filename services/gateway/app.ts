import { randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import {
  API_BASE,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  type RouteName,
} from '@reelbook/contract/paths';
import { type Route, routes } from '@reelbook/contract/routes';
import { envelopeOf } from '@reelbook/contract/schemas/common';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Type } from 'typebox';
import { openChainProxy } from './chain-proxy.ts';
import { answerClientError, ignoreExpectations } from './client-errors.ts';
import { type Gateway, Refused } from './context.ts';
import { openDocs } from './docs.ts';
import { BODY_MAX_BYTES, failureOf } from './failures.ts';
import { handlersOf, type Reply, type Request } from './handlers.ts';
import { CALLERS_COUNTED_MAX, type Limits, openLimits } from './limits.ts';
import type { Push } from './push.ts';
import { openSocketRoute } from './socket-route.ts';
import { openStatus } from './status.ts';
import { compileValidator } from './validation.ts';
import { openRouteNames, serveWebApp } from './web-app.ts';

/** A client that sends its headers or its body slower than this is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the usual proxy keeps an idle connection, so that it, not we, closes first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const HEADERS_MAX_BYTES = 16 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session this is; null for nobody's. */
    wallet: string | null;
  }
}

/** The whole HTTP side, not listening yet: `inject` works on it. Closed with `close()`. */
export async function buildApp(gateway: Gateway, push: Push): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: gateway.log,
    // What is logged of a request says its id itself; a logger for each would redact for each.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: HEADERS_MAX_BYTES },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _request, reply) => answer(error, reply),
  }) as unknown as FastifyInstance;
  ignoreExpectations(app.server);
  app.setValidatorCompiler(compileValidator as never);
  app.setErrorHandler((error, request, reply) => {
    const status = answer(error, reply);
    if (status >= 500) request.log.error({ err: error, id: request.id, status }, 'failed');
  });
  app.decorateRequest('wallet', null);
  addHooks(app, gateway);
  await app.register(rateLimit, { global: false, cache: CALLERS_COUNTED_MAX });
  const limits = openLimits(app);
  await openDocs(app);
  await app.register(async (api) => openRoutes(api, gateway, push, limits), { prefix: API_BASE });
  openStatus(app, gateway);
  await openSocketRoute(app, push, limits);
  openChainProxy(app, gateway, limits);
  await serveWebApp(app, gateway, limits);
  return app;
}

function addHooks(app: FastifyInstance, gateway: Gateway): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Referrer-Policy', 'no-referrer');
  });
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the URL: a URL may hold a token.
    const { url: route = 'none' } = request.routeOptions;
    const { statusCode: status, elapsedTime: ms } = reply;
    gateway.metrics.requests.observe({ route, status }, ms / 1_000);
    request.log.debug({ id: request.id, method: request.method, route, status, ms }, 'answered');
  });
}

function openRoutes(app: FastifyInstance, gateway: Gateway, push: Push, limits: Limits): void {
  const handlers = handlersOf(gateway, push);
  const failure = envelopeOf(Type.Object({ error: Type.String() }, { additionalProperties: true }));
  for (const name of openRouteNames(gateway)) {
    const route: Route = routes[name];
    const handle = handlers[name] as (request: Request<RouteName>) => Promise<Reply<unknown>>;
    app.route({
      method: route.method,
      url: route.path,
      schema: {
        summary: route.summary,
        tags: [route.tag],
        ...(route.auth === 'player' ? { security: [{ token: [] }] } : {}),
        ...(route.params ? { params: route.params } : {}),
        ...(route.query ? { querystring: route.query } : {}),
        ...(route.headers ? { headers: route.headers } : {}),
        ...(route.body ? { body: route.body } : {}),
        response: { 200: envelopeOf(route.data), '4xx': failure, '5xx': failure },
      },
      onRequest: (request) => admit(request, route, name, gateway, limits),
      async handler(request, reply) {
        const { data, position } = await handle(requestOf(request));
        reply.header('Cache-Control', 'no-store');
        if (position !== undefined) reply.header(POSITION_HEADER, position);
        return { code: 200, message: 'success', data };
      },
    });
  }
}

/** Before the body is read: who calls, how often, and whether they may. */
async function admit(
  request: FastifyRequest,
  route: Route,
  name: RouteName,
  gateway: Gateway,
  limits: Limits,
): Promise<void> {
  if (name === 'login') return limits.login(request);
  if (route.auth === 'public') return limits.publicCall(request);
  request.wallet = await gateway.sessions.find(tokenOf(request));
  await limits.playerCall(request, request.wallet);
  if (request.wallet === null) throw new Refused({ failed: 'session-dead' });
}

function tokenOf(request: FastifyRequest): string | null {
  return /^Bearer ([\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

function requestOf(request: FastifyRequest): Request<RouteName> {
  const key = request.headers[IDEMPOTENCY_HEADER.toLowerCase()];
  return {
    wallet: request.wallet ?? '',
    token: tokenOf(request) ?? '',
    correlation: request.id,
    body: request.body,
    query: request.query,
    params: request.params,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  } as Request<RouteName>;
}

/** Sends the catalogue's answer to an error. @returns its status. */
function answer(error: unknown, reply: FastifyReply): number {
  const { status, body, retryAfterS } = failureOf(error);
  if (retryAfterS !== null) reply.header('Retry-After', retryAfterS);
  reply.code(status).header('Cache-Control', 'no-store').send(body);
  return status;
}
