import { API_BASE } from '@reelbook/contract/paths';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import type { Route } from '@reelbook/contract/route';
import { openHealthRoutes } from '@reelbook/http/health-routes';
import { Refused } from '@reelbook/http/refused';
import { addRoute, idempotencyKeyOf, type Reply } from '@reelbook/http/routes';
import { openServer } from '@reelbook/http/server';
import { tokenOf } from '@reelbook/http/tokens';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openChainProxy } from './chain-proxy.ts';
import type { Gateway } from './context.ts';
import { openDocs } from './docs.ts';
import { handlersOf } from './handlers.ts';
import { type Limits, openLimits } from './limits.ts';
import type { Push } from './live/push.ts';
import { openSocketRoute } from './live/socket-route.ts';
import type { Request } from './request.ts';
import { checksOf } from './status.ts';
import { openRouteNames, serveWebApp } from './web-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session this is; null for nobody's. */
    wallet: string | null;
  }
}

/** The whole HTTP side, not listening yet: `inject` works on it. Closed with `close()`. */
export async function buildApp(gateway: Gateway, push: Push): Promise<FastifyInstance> {
  const app = await openServer({
    log: gateway.log,
    onAnswered: ({ route, status, ms }) =>
      gateway.metrics.requests.observe({ route, status }, ms / 1_000),
  });
  app.decorateRequest('wallet', null);
  const limits = openLimits(app);
  await openDocs(app);
  await app.register(async (api) => openRoutes(api, gateway, push, limits), { prefix: API_BASE });
  const { pool, settings } = gateway;
  openHealthRoutes(app, { pool, checks: checksOf(gateway), localChain: settings.localChain });
  await openSocketRoute(app, push, limits);
  openChainProxy(app, gateway, limits);
  await serveWebApp(app, gateway, limits);
  return app;
}

function openRoutes(app: FastifyInstance, gateway: Gateway, push: Push, limits: Limits): void {
  const handlers = handlersOf(gateway, push);
  for (const name of openRouteNames(gateway)) {
    const route: Route = routes[name];
    const handle = handlers[name] as (request: Request<RouteName>) => Promise<Reply<unknown>>;
    addRoute(app, route, {
      admit: (request) => admit(request, route, name, gateway, limits),
      handle: (request) => handle(requestOf(request)),
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
  if (route.access === 'public') return limits.publicCall(request);
  request.wallet = await gateway.sessions.find(tokenOf(request));
  await limits.playerCall(request, request.wallet);
  if (request.wallet === null) throw new Refused({ failed: 'session-dead' });
}

function requestOf(request: FastifyRequest): Request<RouteName> {
  return {
    wallet: request.wallet ?? '',
    token: tokenOf(request) ?? '',
    correlation: request.id,
    body: request.body,
    query: request.query,
    params: request.params,
    idempotencyKey: idempotencyKeyOf(request),
  } as Request<RouteName>;
}
