import { ADMIN_BASE, type AdminRouteName, adminPaths } from '@reelbook/contract/admin/paths';
import { type AdminRoute, adminRoutes } from '@reelbook/contract/admin/routes';
import { servePages } from '@reelbook/http/pages';
import { addRoute, idempotencyKeyOf, type Reply } from '@reelbook/http/routes';
import { openServer } from '@reelbook/http/server';
import { tokenOf } from '@reelbook/http/tokens';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admin, AdminRequest } from './context.ts';
import { type Guard, openGuard } from './guard.ts';
import { handlersOf } from './handlers.ts';
import { openStatus } from './status.ts';

/** The console reaches its own origin and nothing else; its worker verifies the chain. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The whole HTTP side, not listening yet: `inject` works on it. Closed with `close()`. */
export async function buildApp(admin: Admin): Promise<FastifyInstance> {
  const { log, metrics, settings } = admin;
  const app = await openServer({
    log,
    onAnswered: ({ route, status, ms }) => metrics.requests.observe({ route, status }, ms / 1_000),
  });
  const guard = openGuard(app, admin);
  await app.register(async (api) => openRoutes(api, admin, guard), { prefix: ADMIN_BASE });
  openStatus(app, admin);
  await servePages(app, {
    root: settings.webRoot,
    policyOf: () => POLICY,
    routes: Object.values(adminPaths).map(({ method, path }) => ({
      method,
      path: ADMIN_BASE + path,
    })),
    limit: guard.strangers,
  });
  return app;
}

function openRoutes(app: FastifyInstance, admin: Admin, guard: Guard): void {
  const handlers = handlersOf(admin);
  for (const name of Object.keys(adminRoutes) as AdminRouteName[]) {
    const route: AdminRoute = adminRoutes[name];
    const handle = handlers[name] as (
      request: AdminRequest<AdminRouteName>,
    ) => Promise<Reply<unknown>>;
    addRoute(app, route, {
      secured: route.role !== null,
      admit: (request) => guard.admit(request, name, route),
      handle: (request) => handle(requestOf(request)),
    });
  }
}

function requestOf(request: FastifyRequest): AdminRequest<AdminRouteName> {
  const { wallet: operator = '', role = 'viewer' } = request.operator ?? {};
  return {
    operator,
    role,
    token: tokenOf(request) ?? '',
    correlation: request.id,
    body: request.body,
    query: request.query,
    params: request.params,
    idempotencyKey: idempotencyKeyOf(request),
  } as AdminRequest<AdminRouteName>;
}
