import { CHAIN_PATH } from '@reelbook/contract/paths';
import { clientAddress, type Limiter, openLimit } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/refused';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './context.ts';
import { CHAIN_CALLS_PER_ADDRESS } from './limits.ts';

const TIMEOUT_MS = 10_000;
export const CHAIN_BATCH_MAX = 10;
/** The methods that the pages use, and how many calls each counts as. `sendTransaction` runs a transaction. */
const COSTS: ReadonlyMap<unknown, number> = new Map([
  ['getAccountInfo', 1],
  ['getEpochInfo', 1],
  ['getLatestBlockhash', 1],
  ['getSignatureStatuses', 1],
  ['getTransaction', 1],
  ['sendTransaction', 10],
]);

interface RpcError {
  readonly code: number;
  readonly message: string;
}

/**
 * Forwards JSON-RPC to the local chain, so that the browser needs only one origin and port and a strict page policy. The
 * path does not exist with any other chain.
 */
export function openChainProxy(app: FastifyInstance, gateway: Gateway, limit: Limiter): void {
  const local = gateway.chain?.local;
  if (!local) return;
  const calls = openLimit({ max: CHAIN_CALLS_PER_ADDRESS });
  app.route({
    method: 'POST',
    url: CHAIN_PATH,
    schema: { hide: true },
    onRequest: limit,
    async handler(request, reply) {
      reply.header('Cache-Control', 'no-store').type('application/json');
      const fault = faultOf(request.body);
      if (fault) return reply.send(JSON.stringify(errorTo(request.body, fault)));
      const retryAfterS = calls.count(clientAddress(request), costOf(request.body));
      if (retryAfterS !== null) {
        const message = `Too many calls: ${CHAIN_CALLS_PER_ADDRESS} per minute; wait ${retryAfterS} s`;
        reply.code(429).header('Retry-After', retryAfterS);
        return reply.send(JSON.stringify(errorTo(request.body, { code: -32005, message })));
      }
      const answer = await fetch(local.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => {
        request.log.warn({ err: error }, 'the local chain did not respond');
        throw new Refused({ failed: 'unavailable' });
      });
      return reply.code(answer.status).send(await answer.text());
    },
  });
}

const entriesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);
const methodOf = (entry: unknown) => (entry as { method?: unknown } | null)?.method;

/** Why no call of a request is forwarded; null: all are. */
function faultOf(body: unknown): RpcError | null {
  const entries = entriesOf(body);
  if (entries.length === 0 || entries.length > CHAIN_BATCH_MAX) {
    return { code: -32600, message: `Invalid Request: a batch has 1 to ${CHAIN_BATCH_MAX} calls` };
  }
  if (entries.every((entry) => COSTS.has(methodOf(entry)))) return null;
  const allowed = [...COSTS.keys()].join(', ');
  return { code: -32601, message: `Method not found: this path forwards only ${allowed}` };
}

function costOf(body: unknown): number {
  return entriesOf(body).reduce<number>((sum, entry) => sum + (COSTS.get(methodOf(entry)) ?? 0), 0);
}

/** Of a refused batch, one error for all its calls. */
function errorTo(body: unknown, error: RpcError) {
  const id = (body as { id?: unknown } | null)?.id;
  const isId = typeof id === 'string' || typeof id === 'number';
  return { jsonrpc: '2.0', id: isId ? id : null, error };
}
