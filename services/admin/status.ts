import { answerTo } from '@reelbook/contract/errors';
import type { Health } from '@reelbook/contract/schemas/system';
import { readHead } from '@reelbook/event-store/read-log';
import { checkHealth } from '@reelbook/runtime/health';
import type { FastifyInstance } from 'fastify';
import type { Admin } from './context.ts';

/** `/health` for people and balancers, `/live` and `/ready` for orchestrators. Metrics are on no port of the console. */
export function openStatus(app: FastifyInstance, { pool, bus, settings }: Admin): void {
  app.get('/health', async () => {
    const { position } = await readHead(pool);
    return { status: 'ok', position, local_chain: settings.localChain } satisfies Health;
  });
  app.get('/live', async () => ({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const health = await checkHealth([
      { name: 'book', check: () => readHead(pool).then(() => null) },
      { name: 'courier', check: () => (bus.healthy() ? null : 'not connected') },
    ]);
    // Without the courier operators are served all the same: everything is read from the book.
    const ready = health.checks.book === null;
    if (!ready) reply.header('Retry-After', answerTo({ failed: 'unavailable' }).retryAfterS);
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', checks: health.checks });
  });
}
