import fastifyStatic from '@fastify/static';
import { API_BASE, SOCKET_PATH } from '@reelbook/contract/paths';
import { routes } from '@reelbook/contract/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from './context.ts';
import type { Limits } from './limits.ts';

/** Paths that are never a page of the app. */
const NOT_PAGES = ['/api', SOCKET_PATH, '/health', '/ready', '/metrics', '/assets'];

const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The verifier is one file with its script inside, which its own policy names by hash; it reaches nothing at all. */
const VERIFIER = '/verifier.html';
const VERIFIER_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Everything that is no route: the built player app if there is one, else a 404 (or 405) in the envelope. */
export async function serveWebApp(
  app: FastifyInstance,
  root: string | null,
  limits: Limits,
): Promise<void> {
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
          const policy = path.endsWith(VERIFIER) ? VERIFIER_POLICY : POLICY;
          reply.setHeader('Content-Security-Policy', policy);
        }
      },
    });
  }
  app.setNotFoundHandler({ preHandler: limits.publicCall }, async (request, reply) => {
    if (root !== null && isPage(request)) return reply.sendFile('index.html');
    const allowed = methodsOf(pathOf(request));
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

const patterns = Object.values(routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${API_BASE}${path.replace(/:\w+/g, '[^/]+')}$`),
}));

/** Methods that a path of the API takes; empty for an unknown path. */
function methodsOf(path: string): string[] {
  return patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
