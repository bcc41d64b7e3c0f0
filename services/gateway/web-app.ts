import { API_BASE, CHAIN_PATH, SOCKET_PATH } from '@reelbook/contract/paths';
import { type RouteName, routes } from '@reelbook/contract/player/routes';
import type { Limiter } from '@reelbook/http/limits';
import { servePages } from '@reelbook/http/pages';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './context.ts';

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
export async function serveWebApp(
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
export function openRouteNames({ chain }: Pick<Gateway, 'chain'>): RouteName[] {
  const names = Object.keys(routes) as RouteName[];
  return names.filter((name) => name !== 'faucet' || (chain?.local ?? null) !== null);
}
