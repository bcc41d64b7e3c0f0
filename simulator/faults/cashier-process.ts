/**
 * A cashier as a separate process, for tests that kill it. It gets its options as JSON and sends itself SIGKILL at
 * the given crash point, the n-th time that it gets there. No handler runs, nothing is closed.
 */
import { startCashier } from '@reelbook/cashier/start';
import { openPool } from '@reelbook/event-store/db';
import { openLog } from '@reelbook/runtime/log';
import { readSigner } from '@reelbook/solana/keys';
import { openChain } from '@reelbook/solana/rpc';

export interface CashierOrder {
  readonly databaseUrl: string;
  readonly urls: readonly string[];
  readonly mint: string;
  readonly wallet: string;
  readonly decimals: number;
  /** Base64. */
  readonly secret: string;
  readonly dieAt: string;
  readonly leaseMs: number;
  readonly anchorEveryMs?: number;
}

const ROUND_MS = 20;
const TIMEOUT_MS = 2_000;

const order = JSON.parse(process.argv[2] ?? '{}') as CashierOrder;
const { urls, mint, wallet, decimals, leaseMs } = order;
startCashier({
  pool: openPool({ url: order.databaseUrl, role: 'app', max: 4, name: 'cashier' }),
  chain: openChain({ urls, mint, wallet, decimals, timeoutMs: TIMEOUT_MS }),
  signer: readSigner(Buffer.from(order.secret, 'base64')),
  log: openLog({ name: 'cashier', level: 'warn' }),
  localChain: true,
  witnesses: 2,
  roundEveryMs: ROUND_MS,
  leaseMs,
  anchorEveryMs: order.anchorEveryMs ?? null,
  at(point) {
    if (point === order.dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
