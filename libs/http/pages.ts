import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limiter } from './limits.ts';
import { Refused } from './routes.ts';

/** Paths that are never a page of an app. */
const NEVER_PAGES = ['/api', '/health', '/live', '/ready', '/metrics', '/assets'];

const POLICY_HEADER = 'Content-Security-Policy';
/** Suffixes of precompressed files. */
const COMPRESSED = /\.(br|gz)$/;

/** Serves every path without a route: a page of the built app, else 404 or 405 in the envelope. */
export async function servePages(
  app: FastifyInstance,
  options: {
    /** Folder of the built app; null: API only. */
    readonly root: string | null;
    /** Additional paths that are not pages. */
    readonly notPages?: readonly string[];
    /** The Content-Security-Policy of a file, by its path. A worker has the policy of its own script. */
    policyOf(path: string): string;
    /** The routes of the API with full paths. */
    readonly routes: readonly { readonly method: string; readonly path: string }[];
    readonly limit: Limiter;
  },
): Promise<void> {
  const { root } = options;
  const notPages = [...NEVER_PAGES, ...(options.notPages ?? [])];
  const patterns = options.routes.map(({ method, path }) => {
    return { method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) };
  });
  if (root !== null) {
    // Replaces the policy of other responses: Fastify's own headers have precedence over those that a file sets.
    app.addHook('onSend', (_request, reply, payload, done) => {
      const policy = reply.raw.getHeader(POLICY_HEADER);
      if (policy !== undefined) reply.header(POLICY_HEADER, policy);
      done(null, payload);
    });
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      cacheControl: false,
      // Files only. API responses are not compressed: the length of a compressed response can reveal a secret in it.
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz'],
      setHeaders(reply, sent) {
        const path = sent.replace(COMPRESSED, '');
        reply.setHeader('Vary', 'Accept-Encoding');
        const lasting = path.includes('/assets/');
        reply.setHeader(
          'Cache-Control',
          lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
        reply.setHeader(POLICY_HEADER, options.policyOf(path));
      },
    });
  }
  app.setNotFoundHandler({ preHandler: options.limit }, async (request, reply) => {
    if (root !== null && isPage(request, notPages)) return reply.sendFile('index.html');
    const path = pathOf(request);
    const methods = patterns.filter(({ pattern }) => pattern.test(path));
    const allowed = methods.map(({ method }) => method).join(', ');
    if (allowed === '') {
      throw new Refused({ failed: 'not-found', detail: { what: 'there is no such path' } });
    }
    reply.header('Allow', allowed);
    throw new Refused({ failed: 'method-not-allowed', detail: { allowed } });
  });
}

function isPage(request: FastifyRequest, notPages: readonly string[]): boolean {
  const path = pathOf(request);
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !path.includes('.') &&
    !notPages.some((own) => path === own || path.startsWith(`${own}/`))
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
