import { API_BASE } from '@reelbook/contract/paths';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import type { Route } from '@reelbook/contract/route';
import { openHealthRoutes } from '@reelbook/http/health-routes';
import { Refused } from '@reelbook/http/refused';
import { addRoute, idempotencyKeyOf, type Reply, tokenOf } from '@reelbook/http/routes';
import { limiter, openServer } from '@reelbook/http/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openChainProxy } from './chain-proxy.ts';
import type { Gateway } from './context.ts';
import { openDocs } from './docs.ts';
import { handlersOf } from './handlers.ts';
import type { Push } from './live/push.ts';
import { openSocketRoute } from './live/socket-route.ts';
import type { Request } from './request.ts';
import type { LiveSession } from './sessions.ts';
import { checksOf } from './status.ts';
import { openRouteNames, serveWebApp } from './web-app.ts';

/**
 * Requests per minute. They bound the cost of one caller; people, regular clients and addresses shared by many players
 * (an office, a load test) stay below them.
 */
export const LOGINS_PER_ADDRESS = 3_000;
export const PUBLIC_PER_ADDRESS = 30_000;
export const SOCKETS_PER_ADDRESS = 6_000;
export const CALLS_PER_PLAYER = 12_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a live session. */
    session: LiveSession | null;
  }
}

/** Creates the HTTP server, which does not listen yet; `inject` works. Close it with `close()`. */
export async function buildApp(gateway: Gateway, push: Push): Promise<FastifyInstance> {
  const app = await openServer({
    log: gateway.log,
    trustedProxies: gateway.settings.trustedProxies,
    onCompleted: ({ route, status, ms }) =>
      gateway.metrics.requests.observe({ route, status }, ms / 1_000),
  });
  app.decorateRequest('session', null);
  const limits = openLimits(app);
  await openDocs(app);
  await app.register(async (api) => openRoutes(api, gateway, limits), { prefix: API_BASE });
  const { pool, settings } = gateway;
  openHealthRoutes(app, { pool, checks: checksOf(gateway), localChain: settings.localChain });
  await openSocketRoute(app, push, limits.socket);
  openChainProxy(app, gateway, limits.publicCall);
  await serveWebApp(app, gateway, limits.publicCall);
  return app;
}

function openRoutes(app: FastifyInstance, gateway: Gateway, limits: Limits): void {
  const handlers = handlersOf(gateway);
  for (const name of openRouteNames(gateway)) {
    const route: Route = routes[name];
    const handle = handlers[name] as (request: Request<RouteName>) => Promise<Reply<unknown>>;
    addRoute(app, route, {
      admit: (request) => admit(request, route, name, gateway, limits),
      handle: (request) => handle(requestOf(request)),
    });
  }
}

/** Runs before the body is read: authentication and rate limits. */
async function admit(
  request: FastifyRequest,
  route: Route,
  name: RouteName,
  gateway: Gateway,
  limits: Limits,
): Promise<void> {
  if (name === 'login') return limits.login(request);
  if (route.access === 'public') return limits.publicCall(request);
  request.session = await gateway.sessions.find(tokenOf(request));
  await limits.playerCall(request);
  if (!request.session) throw new Refused({ failed: 'session-dead' });
}

function requestOf(request: FastifyRequest): Request<RouteName> {
  return {
    session: request.session,
    wallet: request.session?.wallet ?? '',
    token: tokenOf(request) ?? '',
    correlation: request.id,
    body: request.body,
    query: request.query,
    params: request.params,
    idempotencyKey: idempotencyKeyOf(request),
  } as Request<RouteName>;
}

interface Limits {
  login(request: FastifyRequest): Promise<void>;
  publicCall(request: FastifyRequest): Promise<void>;
  socket(request: FastifyRequest): Promise<void>;
  /** Per player; without a session per address, which also limits the guessing of tokens. */
  playerCall(request: FastifyRequest): Promise<void>;
}

/** Limiters throw `Refused` with 429. */
function openLimits(app: FastifyInstance): Limits {
  const byAddress = (name: string, max: number) =>
    limiter(app, max, (request) => `${name}:${request.ip}`);
  const login = byAddress('login', LOGINS_PER_ADDRESS);
  const publicCall = byAddress('public', PUBLIC_PER_ADDRESS);
  const socket = byAddress('socket', SOCKETS_PER_ADDRESS);
  const player = limiter(app, CALLS_PER_PLAYER, (request) => `player:${request.session?.wallet}`);
  return {
    login,
    publicCall,
    socket,
    playerCall: (request) => (request.session ? player(request) : publicCall(request)),
  };
}
