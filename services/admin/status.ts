import { courierCheck } from '@reelbook/bus/bus';
import type { Health } from '@reelbook/contract/common';
import { answerTo } from '@reelbook/contract/errors';
import { bookCheck, readHead } from '@reelbook/event-store/read-log';
import { type Check, checkHealth } from '@reelbook/runtime/health';
import type { FastifyInstance } from 'fastify';
import type { Admin } from './context.ts';

/** What the console needs. Without the courier operators are served all the same: everything is read from the book. */
export const checksOf = ({ pool, bus }: Pick<Admin, 'pool' | 'bus'>): readonly Check[] => [
  bookCheck(pool),
  { ...courierCheck(bus), spare: true },
];

/** `/health` for people and balancers, `/live` and `/ready` for orchestrators. Metrics are on no port of the console. */
export function openStatus(app: FastifyInstance, admin: Admin): void {
  const { pool, settings } = admin;
  app.get('/health', async () => {
    const { position } = await readHead(pool);
    return { status: 'ok', position, local_chain: settings.localChain } satisfies Health;
  });
  app.get('/live', async () => ({ status: 'ok' }));
  app.get('/ready', async (_request, reply) => {
    const health = await checkHealth(checksOf(admin));
    if (!health.ok) reply.header('Retry-After', answerTo({ failed: 'unavailable' }).retryAfterS);
    return reply
      .code(health.ok ? 200 : 503)
      .send({ status: health.ok ? 'ok' : 'unavailable', checks: health.checks });
  });
}
