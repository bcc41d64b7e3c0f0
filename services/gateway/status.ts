import { courierCheck } from '@reelbook/bus/bus';
import type { Health } from '@reelbook/contract/common';
import { answerTo } from '@reelbook/contract/errors';
import { bookCheck, readHead } from '@reelbook/event-store/read-log';
import { type Check, checkHealth } from '@reelbook/runtime/health';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './context.ts';

/** What a gateway needs. Without the courier players are served all the same: pushes are late, nothing else. */
export const checksOf = ({ pool, bus }: Pick<Gateway, 'pool' | 'bus'>): readonly Check[] => [
  bookCheck(pool),
  { ...courierCheck(bus), spare: true },
];

/** `/health` for pages, `/ready` for whoever balances players over gateways. Outside the envelope. */
export function openStatus(app: FastifyInstance, gateway: Gateway): void {
  const { pool, settings } = gateway;
  const hidden = { schema: { hide: true } };
  app.get('/health', hidden, async () => {
    const { position } = await readHead(pool);
    return { status: 'ok', position, local_chain: settings.localChain } satisfies Health;
  });
  app.get('/ready', hidden, async (_request, reply) => {
    const health = await checkHealth(checksOf(gateway));
    if (!health.ok) reply.header('Retry-After', answerTo({ failed: 'unavailable' }).retryAfterS);
    return reply
      .code(health.ok ? 200 : 503)
      .send({ status: health.ok ? 'ok' : 'unavailable', checks: health.checks });
  });
}
