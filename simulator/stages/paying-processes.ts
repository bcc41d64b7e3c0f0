import { rmSync } from 'node:fs';
import { readSolvency } from '@reelbook/payments/solvency';
import { freePort } from '@reelbook/runtime/ports';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { openServices, type Services } from './services.ts';

/** Reelbook of real money as processes of their own, on a chain whose blocks come by themselves. */
export interface PayingStage extends Services {
  readonly chain: TestChain;
  readonly database: TestDatabase;
  /** Role app. */
  readonly pool: pg.Pool;
  /** Of the gateway. */
  readonly origin: string;
  /** Resolves when the gateway is ready and the cashier has looked at the chain. */
  ready(): Promise<void>;
}

const BLOCKS_EVERY_MS = 100;

/** Nothing runs yet but the servers and the chain. A cashier gets the treasury's key as well. */
export async function startPayingStage(): Promise<PayingStage> {
  const [chain, database] = await Promise.all([startTestChain(), createDatabase()]);
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const opened = await openServices(database.url, {
    SOLANA_RPC_URL: chain.local.urls.join(','),
    SOLANA_NETWORK: 'localnet',
    TOKEN_MINT: chain.token.mint.address,
    TREASURY_WALLET: chain.treasury.address,
    // All that they can log, to see what they never log.
    PORT: port,
    LOG_LEVEL: 'trace',
  });
  const treasury = { TREASURY_KEY: JSON.stringify([...chain.treasury.secret]) };
  const blocks = setInterval(() => chain.finalize(), BLOCKS_EVERY_MS);
  const pool = database.pool('app');
  return {
    ...opened,
    chain,
    database,
    pool,
    origin,
    start: (name, main, extra) =>
      opened.start(name, main, main === 'cashier' ? { ...treasury, ...extra } : extra),
    async ready() {
      await vi.waitFor(async () => expect((await fetch(`${origin}/ready`)).status).toBe(200), WAIT);
      await vi.waitFor(async () => expect((await readSolvency(pool)).slot).not.toBeNull(), WAIT);
    },
    async stop() {
      clearInterval(blocks);
      await opened.stop();
      await chain.close();
      await database.drop();
      rmSync(opened.folder, { recursive: true, force: true });
    },
  };
}
