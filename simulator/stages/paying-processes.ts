import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSolvency } from '@reelbook/payments/solvency';
import { freePort } from '@reelbook/runtime/ports';
import { programPath } from '@reelbook/runtime/settings';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { natsAvailable, startNats } from '@reelbook/testing/nats';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { LAG } from './lag.ts';
import { type Service, startService } from './service.ts';

/** Reelbook of real money as processes of their own, on a chain whose blocks come by themselves. */
export interface PayingStage {
  readonly chain: TestChain;
  readonly database: TestDatabase;
  /** Role app. */
  readonly pool: pg.Pool;
  /** Null where this machine has none. */
  readonly natsUrl: string | null;
  /** Of the gateway. */
  readonly origin: string;
  /** Of every service; the cashier is told the treasury's key as well. */
  readonly environment: Readonly<Record<string, string>>;
  readonly services: readonly Service[];
  /** Starts `main` of `startService` under that name. The settings given replace those of all. */
  start(name: string, main: string, extra?: Readonly<Record<string, string>>): Service;
  /** The service of that name. */
  named(name: string): Service;
  /** All that it logged. */
  logOf(name: string): string;
  /** Resolves when the gateway is ready and the cashier has looked at the chain. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const BLOCKS_EVERY_MS = 100;
const SECRET_BYTES = 32;
/** Nothing listens there. */
const NOWHERE = 'nats://127.0.0.1:1';

/** Nothing runs yet but the servers and the chain. */
export async function startPayingStage(): Promise<PayingStage> {
  const [chain, database] = await Promise.all([startTestChain(), createDatabase()]);
  const nats = natsAvailable() ? await startNats() : null;
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-processes-'));
  const logFolder = join(folder, 'logs');
  mkdirSync(logFolder);
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const secret = () => randomBytes(SECRET_BYTES).toString('hex');
  const environment = {
    PATH: programPath().join(':'),
    DATABASE_URL: database.url,
    NATS_URL: nats?.url ?? NOWHERE,
    ...{ SEED_KEY: secret(), SESSION_KEY: secret(), RECEIPT_KEY: secret() },
    SOLANA_RPC_URL: chain.local.urls.join(','),
    SOLANA_NETWORK: 'localnet',
    TOKEN_MINT: chain.token.mint.address,
    TREASURY_WALLET: chain.treasury.address,
    // All that they can say, to see what they never say.
    ...{ PORT: port, LOG_LEVEL: 'trace', TEST_LAG: LAG.order },
  };
  const treasury = { TREASURY_KEY: JSON.stringify([...chain.treasury.secret]) };
  const services: Service[] = [];
  const blocks = setInterval(() => chain.finalize(), BLOCKS_EVERY_MS);
  const pool = database.pool('app');
  return {
    ...{ chain, database, pool, origin, environment, services },
    natsUrl: nats?.url ?? null,
    start(name, main, extra = {}) {
      const own = main === 'cashier' ? treasury : {};
      const settings = { ...environment, ...own, ...extra };
      const service = startService({ name, main, environment: settings, logFolder });
      services.push(service);
      return service;
    },
    named(name) {
      const found = services.find((service) => service.name === name);
      if (!found) throw new Error(`no service ${name} was started`);
      return found;
    },
    logOf: (name) => readFileSync(join(logFolder, `${name}.log`), 'utf8'),
    async ready() {
      await vi.waitFor(async () => expect((await fetch(`${origin}/ready`)).status).toBe(200), WAIT);
      await vi.waitFor(async () => expect((await readSolvency(pool)).slot).not.toBeNull(), WAIT);
    },
    async stop() {
      clearInterval(blocks);
      await Promise.all(services.map((service) => service.stop()));
      await nats?.stop();
      await chain.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
