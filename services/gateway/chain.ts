import type { SystemConfig } from '@reelbook/contract/player/public';
import type { DataOf } from '@reelbook/contract/player/routes';
import type { FaucetGift } from '@reelbook/contract/player/wallet';
import { CHAIN_PATH } from '@reelbook/contract/route';
import { clientAddress, type Limiter, openLimit } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/routes';
import { DECIMALS } from '@reelbook/ledger/money';
import { within } from '@reelbook/runtime/alarm';
import type { ChainSettings } from '@reelbook/runtime/chain-settings';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { readAddress } from '@reelbook/solana/keys';
import { MintRefused } from '@reelbook/solana/mint';
import { type Chain, openChain } from '@reelbook/solana/rpc';
import type { FastifyInstance } from 'fastify';
import type { Gateway, GatewayChain } from './context.ts';
import { CHAIN_CALLS_PER_ADDRESS } from './limits.ts';

export function readWalletBalance(
  gateway: Gateway,
  options: { readonly wallet: string; readonly requested: string | undefined },
): Promise<DataOf<'walletBalance'>> {
  const wallet = options.requested ?? options.wallet;
  if (!readAddress(wallet)) {
    const problem = 'wallet_address must be a Solana address: 32 bytes in base58';
    throw new Refused({ failed: 'bad-input', detail: { problem } });
  }
  return gateway.walletBalances.read(wallet, options.wallet);
}

export async function giveFromFaucet(gateway: Gateway, wallet: string): Promise<FaucetGift> {
  const local = gateway.chain?.local;
  // The route exists only on the local chain; this is a second check.
  if (!local) throw new Refused({ failed: 'not-found', detail: { what: 'there is no such path' } });
  const given = await local.faucet(wallet);
  if (!('waitS' in given)) return given;
  throw new Refused({ failed: 'faucet-used', detail: { minutes: given.minutes } }, given.waitS);
}

/** The chain in /config/system. */
export function chainAnswer({
  chain = null,
}: Pick<Gateway, 'chain'>): Pick<SystemConfig, 'network' | 'rpc_url' | 'faucet'> {
  return {
    network: chain?.network ?? null,
    rpc_url: chain?.local ? CHAIN_PATH : (chain?.publicRpcUrl ?? null),
    faucet: chain !== null && chain.local !== null,
  };
}

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

const FIRST_CHECK_TIMEOUT_MS = 5_000;

/**
 * Opens the configured chain. Throws StartError if its mint is refused. An RPC that does not respond does not prevent the
 * start: games do not need it, and the first use checks the mint again.
 */
export async function openRealChain(settings: ChainSettings, log: Logger): Promise<GatewayChain> {
  const { urls, mint, wallet, allow, network, publicRpcUrl } = settings;
  const chain = openChain({
    urls,
    mint,
    wallet,
    allow,
    decimals: DECIMALS.token,
    onTrouble: (trouble) => log.warn(trouble, 'RPC failed'),
  });
  await checkMint(chain, log);
  return { chain, network, publicRpcUrl, local: null };
}

async function checkMint(chain: Chain, log: Logger): Promise<void> {
  try {
    const terms = await within(FIRST_CHECK_TIMEOUT_MS, chain.terms());
    if (!terms) log.warn('the chain responds slowly; its mint will be checked later');
    for (const warning of terms?.warnings ?? []) log.warn({ mint: terms?.mint }, warning);
  } catch (error) {
    if (error instanceof MintRefused) throw new StartError(error.message);
    log.warn({ err: error }, 'the chain is unreachable; its mint will be checked later');
  }
}
