import { CHAIN_PATH } from '@reelbook/contract/paths';
import { Refused } from '@reelbook/http/refused';
import type { Limiter } from '@reelbook/http/server';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './context.ts';

const TIMEOUT_MS = 10_000;

/**
 * Forwards JSON-RPC to the local chain, so that the browser needs only one origin and port and a strict page policy. The
 * path does not exist with any other chain.
 */
export function openChainProxy(app: FastifyInstance, gateway: Gateway, limit: Limiter): void {
  const local = gateway.chain?.local;
  if (!local) return;
  app.route({
    method: 'POST',
    url: CHAIN_PATH,
    schema: { hide: true },
    onRequest: limit,
    async handler(request, reply) {
      const answer = await fetch(local.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => {
        request.log.warn({ err: error }, 'the local chain did not respond');
        throw new Refused({ failed: 'unavailable' });
      });
      reply.header('Cache-Control', 'no-store').type('application/json');
      return reply.code(answer.status).send(await answer.text());
    },
  });
}
