import { refusals } from '@reelbook/contract/english';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import type { FailureCode } from '@reelbook/contract/refusals';
import { API_BASE, CHAIN_PATH, type Route, SOCKET_PATH } from '@reelbook/contract/route';
import { busCheck } from '@reelbook/event-store/bus/bus';
import { clockChecks } from '@reelbook/event-store/clock';
import { integrityCheck } from '@reelbook/event-store/integrity';
import { ledgerCheck } from '@reelbook/event-store/read-log';
import { openDocs } from '@reelbook/http/docs';
import { openHealthRoutes } from '@reelbook/http/health-routes';
import { clientAddress, type Limiter } from '@reelbook/http/limits';
import { servePages } from '@reelbook/http/pages';
import {
  addFileRoute,
  addRoute,
  idempotencyKeyOf,
  Refused,
  type Reply,
  tokenOf,
} from '@reelbook/http/routes';
import { openServer } from '@reelbook/http/server';
import { answer, standbyChecks } from '@reelbook/http/standby';
import type { Check } from '@reelbook/runtime/health';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { openChainProxy } from './chain.ts';
import type { Gateway, Handlers, Request } from './context.ts';
import { handlersOf } from './handlers.ts';
import { type Limits, openLimits } from './limits.ts';
import type { Push } from './live/push.ts';
import { openSocketRoute } from './live/socket-route.ts';
import { openFiles } from './reads/own-data.ts';
import type { LiveSession } from './sessions.ts';

/** Readiness checks. The bus is optional: without it pushes are only delayed. */
export const checksOf = ({ pool, bus }: Pick<Gateway, 'pool' | 'bus'>): readonly Check[] => [
  ledgerCheck(pool),
  ...clockChecks(pool),
  integrityCheck(pool),
  { ...busCheck(bus), optional: true },
];

/** Pages may connect only to their own origin, which includes its WebSocket, and the public RPC. */
function policyOf(publicRpcUrl: string | null): string {
  const rpc = publicRpcUrl === null ? '' : ` ${new URL(publicRpcUrl).origin}`;
  return [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${rpc}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The verifier is a single file. Its own policy restricts its script by hash; it cannot connect to anything. */
const VERIFIER = '/verifier.html';
const VERIFIER_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves every path without a route: the built player app, else 404 or 405. */
async function serveWebApp(
  app: FastifyInstance,
  { settings: { webRoot: root }, chain = null }: Gateway,
  limit: Limiter,
): Promise<void> {
  const policy = policyOf(chain?.publicRpcUrl ?? null);
  await servePages(app, {
    root,
    notPages: [CHAIN_PATH, SOCKET_PATH],
    policyOf: (path) => (path.endsWith(VERIFIER) ? VERIFIER_POLICY : policy),
    routes: openRouteNames({ chain }).map((name) => {
      const { method, path } = routes[name];
      return { method, path: API_BASE + path };
    }),
    limit,
  });
}

/** Routes of this gateway; the faucet exists only on the local chain. */
function openRouteNames({ chain }: Pick<Gateway, 'chain'>): RouteName[] {
  const names = Object.keys(routes) as RouteName[];
  return names.filter((name) => name !== 'faucet' || (chain?.local ?? null) !== null);
}

/** A player can call these while another session of the same wallet exceeds its limit. */
const SESSION_CALLS: ReadonlySet<RouteName> = new Set([
  'sessions',
  'endSession',
  'logout',
  'logoutAll',
]);

/**
 * Lists that a standby may answer: read models and nothing else. Not what commands or their pages need (states, balances,
 * sessions, limits, open rounds, proofs), and not payments, whose reports and holds are rows without a position.
 */
const STANDBY_LISTS: ReadonlySet<RouteName> = new Set([
  ...(['achievements', 'notifications', 'statement', 'slotHistory', 'slotStats'] as const),
  ...(['gameHistory', 'gameStats', 'leaderboard', 'recentWinnings'] as const),
]);

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a live session. */
    session: LiveSession | null;
  }
}

/** Creates the HTTP server, which does not listen yet; `inject` works. Close it with `close()`. */
export async function buildApp(gateway: Gateway, push: Push): Promise<FastifyInstance> {
  const app = openServer({
    log: gateway.log,
    trustProxy: gateway.settings.trustProxy,
    onCompleted: ({ route, status, ms }) =>
      gateway.metrics.requests.observe({ route, status }, ms / 1_000),
  });
  app.decorateRequest('session', null);
  const limits = openLimits(gateway);
  await openDocs(app, {
    title: 'Reelbook player API',
    description:
      'Every response is an envelope { code, message, data }; code equals the HTTP status. ' +
      '401 always means a dead session. The live channel is /ws?token=.',
    base: API_BASE,
    errors: Object.keys(refusals) as FailureCode[],
    limit: limits.publicCall,
  });
  await app.register(async (api) => openRoutes(api, gateway, limits), { prefix: API_BASE });
  const { pool, settings } = gateway;
  const checks = [...checksOf(gateway), ...standbyChecks(gateway.standby)];
  openHealthRoutes(app, { pool, checks, localChain: settings.localChain });
  await openSocketRoute(app, { push, limit: limits.socket, origin: gateway.origin });
  openChainProxy(app, gateway, limits.publicCall);
  await serveWebApp(app, gateway, limits.publicCall);
  return app;
}

type Handle = (request: Request<RouteName>) => Promise<Reply<unknown>>;

function openRoutes(app: FastifyInstance, gateway: Gateway, limits: Limits): void {
  /** Those of a standby by its connections. */
  const kept = new WeakMap([[gateway.pool, handlersOf(gateway)]]);
  const handlersOn = (pool: pg.Pool) => {
    const own = kept.get(pool) ?? handlersOf({ ...gateway, pool });
    kept.set(pool, own);
    return own;
  };
  const files = openFiles(gateway);
  for (const name of openRouteNames(gateway)) {
    const route: Route = routes[name];
    const admitted = (request: FastifyRequest) => admit(request, route, name, gateway, limits);
    const send = files[name];
    if (send) {
      addFileRoute(app, name, route, { admit: admitted, send });
      continue;
    }
    addRoute(app, name, route, {
      admit: admitted,
      async check(request) {
        const { session } = request;
        if (!session || (await gateway.sessions.isLive(tokenOf(request) ?? '', session))) return;
        throw new Refused({ failed: 'session-dead' });
      },
      handle: (request) =>
        answer(gateway, request, STANDBY_LISTS.has(name), (pool) => {
          const handle = handlersOn(pool)[name as keyof Handlers] as Handle;
          return handle(requestOf(request));
        }),
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
  if (name === 'login') return gateway.logins.admit(clientAddress(request));
  if (route.access === 'public') return limits.publicCall(request);
  const session = await gateway.sessions.find(tokenOf(request));
  request.session = session;
  if (session && SESSION_CALLS.has(name)) return limits.sessionCall(request, session);
  limits.playerCall(request, session?.wallet ?? null, name);
  if (!session) throw new Refused({ failed: 'session-dead' });
}

function requestOf(request: FastifyRequest): Request<RouteName> {
  return {
    session: request.session,
    wallet: request.session?.wallet ?? '',
    token: tokenOf(request) ?? '',
    get address() {
      return clientAddress(request);
    },
    correlation: request.id,
    body: request.body,
    query: request.query,
    params: request.params,
    idempotencyKey: idempotencyKeyOf(request),
  } as Request<RouteName>;
}
