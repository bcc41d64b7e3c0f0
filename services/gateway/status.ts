import { answerTo } from '@reelbook/contract/errors';
import type { Health } from '@reelbook/contract/schemas/system';
import { readHead } from '@reelbook/event-store/read-log';
import { checkHealth } from '@reelbook/runtime/health';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './context.ts';

/** `/health` for people and balancers, `/ready` for orchestrators, `/metrics` for Prometheus. Outside the envelope. */
export function openStatus(app: FastifyInstance, gateway: Gateway): void {
  const { pool, bus, metrics, settings } = gateway;
  const hidden = { schema: { hide: true } };
  app.get('/health', hidden, async () => {
    const { position } = await readHead(pool);
    return { status: 'ok', position, local_chain: settings.localChain } satisfies Health;
  });
  app.get('/ready', hidden, async (_request, reply) => {
    const health = await checkHealth([
      { name: 'book', check: () => readHead(pool).then(() => null) },
      { name: 'courier', check: () => (bus.healthy() ? null : 'not connected') },
    ]);
    // Without the courier players are served all the same: pushes are late, nothing else.
    const ready = health.checks.book === null;
    if (!ready) reply.header('Retry-After', answerTo({ failed: 'unavailable' }).retryAfterS);
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', checks: health.checks });
  });
  app.get('/metrics', hidden, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
