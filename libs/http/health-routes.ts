import type { Health } from '@reelbook/contract/common';
import { answerTo } from '@reelbook/contract/errors';
import { readHead } from '@reelbook/event-store/read-log';
import { type Check, checkHealth } from '@reelbook/runtime/health';
import type { FastifyInstance } from 'fastify';

/** `/health` for pages, `/ready` for load balancers, without envelope. Metrics are only on the status port. */
export function openHealthRoutes(
  app: FastifyInstance,
  options: {
    readonly pool: Parameters<typeof readHead>[0];
    readonly checks: readonly Check[];
    readonly localChain: boolean;
  },
): void {
  const hidden = { schema: { hide: true } };
  app.get('/health', hidden, async () => {
    const { position } = await readHead(options.pool);
    return { status: 'ok', position, local_chain: options.localChain } satisfies Health;
  });
  app.get('/ready', hidden, async (_request, reply) => {
    const { ok, checks } = await checkHealth(options.checks);
    if (!ok) reply.header('Retry-After', answerTo({ failed: 'unavailable' }).retryAfterS);
    return reply.code(ok ? 200 : 503).send({ status: ok ? 'ok' : 'unavailable', checks });
  });
}
