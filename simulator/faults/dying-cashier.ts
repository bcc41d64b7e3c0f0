import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CrashPoint } from '@reelbook/cashier/context';
import { RUN } from '@reelbook/runtime/repository';
import { expect } from 'vitest';
import { LAG } from '../stages/lag.ts';
import type { PayingSite } from '../stages/paying-site.ts';
import type { CashierOrder } from './cashier-process.ts';

/** Short, so that the successor of a killed cashier gets the lease soon. */
export const SHORT_LEASE_MS = 400 + LAG.cashierMs;
const BLOCK_EVERY_MS = 40;

/** Runs a cashier as a process until it has killed itself at that point; blocks pass meanwhile. */
export async function dieAt(
  { site, chain }: PayingSite,
  point: CrashPoint,
  o: { readonly anchorEveryMs?: number } = {},
): Promise<void> {
  const { mint, wallet, decimals } = await chain.chain.terms();
  const order: CashierOrder = {
    databaseUrl: site.database.url,
    urls: chain.local.urls,
    mint,
    wallet,
    decimals,
    secret: Buffer.from(chain.treasury.secret).toString('base64'),
    dieAt: point,
    leaseMs: SHORT_LEASE_MS,
    ...o,
  };
  const child = spawn(
    process.execPath,
    [RUN, 'simulator/faults/cashier-process.ts', JSON.stringify(order)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const gone = once(child, 'exit');
  const blocks = setInterval(() => chain.local.advance(1), BLOCK_EVERY_MS);
  const [, signal] = await gone;
  clearInterval(blocks);
  expect(signal).toBe('SIGKILL');
}
