import type { Health } from '@reelbook/contract/common';
import { answerTo } from '@reelbook/contract/errors';
import { readHead } from '@reelbook/event-store/read-log';
import { type Check, checkHealth } from '@reelbook/runtime/health';
import { Histogram, type Registry } from '@reelbook/runtime/metrics';
import type { FastifyInstance } from 'fastify';

/**
 * `/health` for pages, `/ready` for load balancers, without envelope. Metrics are only on the status port. Both are public and
 * without a limit, because a load balancer must always get its response: requests at the same time share one reading, and
 * the texts of errors, which may name internal addresses, and private reasons are only on the status port.
 */
export function openHealthRoutes(
  app: FastifyInstance,
  options: {
    readonly pool: Parameters<typeof readHead>[0];
    readonly checks: readonly Check[];
    readonly localChain: boolean;
  },
): void {
  const hidden = { schema: { hide: true } };
  const head = shared(() => readHead(options.pool));
  const health = shared(() => checkHealth(options.checks.map(forPublic)));
  app.get('/health', hidden, async () => {
    const { position } = await head();
    return { status: 'ok', position, local_chain: options.localChain } satisfies Health;
  });
  app.get('/ready', hidden, async (_request, reply) => {
    const { ok, checks } = await health();
    if (!ok) reply.header('Retry-After', answerTo({ failed: 'unavailable' }).retryAfterS);
    return reply.code(ok ? 200 : 503).send({ status: ok ? 'ok' : 'unavailable', checks });
  });
}

const forPublic = (one: Check): Check => ({
  ...one,
  async check() {
    try {
      const reason = await one.check();
      return reason !== null && one.isPrivate ? 'failing' : reason;
    } catch {
      return 'unavailable';
    }
  },
});

/** Calls during a run get its result. */
function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Histogram of request durations by route and status. `api` is part of its name: one process may serve both APIs. */
export function measureRequests(
  registry: Registry,
  api: 'http' | 'admin',
): Histogram<'route' | 'status'> {
  return new Histogram({
    name: `reelbook_${api}_request_duration_seconds`,
    help: 'Request duration in seconds, by route and status',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
}
