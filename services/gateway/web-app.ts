import fastifyStatic from '@fastify/static';
import { API_BASE, CHAIN_PATH, type RouteName, SOCKET_PATH } from '@reelbook/contract/paths';
import { routes } from '@reelbook/contract/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Gateway, Refused } from './context.ts';
import type { Limits } from './limits.ts';

/** Paths that are never a page of the app. */
const NOT_PAGES = ['/api', CHAIN_PATH, SOCKET_PATH, '/health', '/ready', '/metrics', '/assets'];

/** The page reaches its own origin and the one RPC that players send deposits through, nothing else. */
function policyOf(publicRpcUrl: string | null): string {
  const rpc = publicRpcUrl === null ? '' : ` ${new URL(publicRpcUrl).origin}`;
  return [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ws: wss:${rpc}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The verifier is one file with its script inside, which its own policy names by hash; it reaches nothing at all. */
const VERIFIER = '/verifier.html';
const VERIFIER_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Everything that is no route: the built player app if there is one, else a 404 (or 405) in the envelope. */
export async function serveWebApp(
  app: FastifyInstance,
  { settings: { webRoot: root }, chain = null }: Gateway,
  limits: Limits,
): Promise<void> {
  const policy = policyOf(chain?.publicRpcUrl ?? null);
  const patterns = patternsOf(openRouteNames({ chain }));
  if (root !== null) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      cacheControl: false,
      setHeaders(reply, path) {
        const lasting = path.includes('/assets/');
        reply.setHeader(
          'Cache-Control',
          lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
        if (path.endsWith('.html')) {
          const own = path.endsWith(VERIFIER) ? VERIFIER_POLICY : policy;
          reply.setHeader('Content-Security-Policy', own);
        }
      },
    });
  }
  app.setNotFoundHandler({ preHandler: limits.publicCall }, async (request, reply) => {
    if (root !== null && isPage(request)) return reply.sendFile('index.html');
    const allowed = methodsOf(patterns, pathOf(request));
    if (allowed.length === 0) {
      throw new Refused({ failed: 'not-found', detail: { what: 'there is no such path' } });
    }
    reply.header('Allow', allowed.join(', '));
    throw new Refused({ failed: 'method-not-allowed', detail: { allowed: allowed.join(', ') } });
  });
}

function isPage(request: FastifyRequest): boolean {
  const path = pathOf(request);
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !path.includes('.') &&
    !NOT_PAGES.some((own) => path === own || path.startsWith(`${own}/`))
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** The routes that this gateway has: the faucet is one of the local chain alone. */
export function openRouteNames({ chain }: Pick<Gateway, 'chain'>): RouteName[] {
  const names = Object.keys(routes) as RouteName[];
  return names.filter((name) => name !== 'faucet' || (chain?.local ?? null) !== null);
}

type Pattern = { readonly method: string; readonly pattern: RegExp };

function patternsOf(names: readonly RouteName[]): readonly Pattern[] {
  return names.map((name) => {
    const { method, path } = routes[name];
    return { method, pattern: new RegExp(`^${API_BASE}${path.replace(/:\w+/g, '[^/]+')}$`) };
  });
}

/** Methods that a path of the API takes; empty for an unknown path. */
function methodsOf(patterns: readonly Pattern[], path: string): string[] {
  return patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
