import type { WorkerStatus } from '@reelbook/event-store/leased-worker';
import { Gauge, measureWorker, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import { readConfig } from './context.ts';

export interface Measured {
  status(): WorkerStatus;
  readonly pool: pg.Pool;
  readonly chain: Pick<Chain, 'treasury'>;
}

/** What this cashier does, and the treasury's SOL: read when it is asked for. */
export function measureCashier({ status, pool, chain }: Measured): Registry {
  const registry = openMetrics('cashier');
  measureWorker(registry, 'cashier', status, '1 while a part of its round fails');
  measureSol(registry, { pool, chain });
  return registry;
}

const LAMPORTS_A_SOL = 1e9;

/** What the treasury pays its fees with, and below which of it nothing is signed: asked of the chain when it is asked for. */
function measureSol(registry: Registry, { pool, chain }: Pick<Measured, 'pool' | 'chain'>): void {
  new Gauge({
    name: 'reelbook_treasury_sol',
    help: 'SOL of the treasury (held), and the low-water mark under which nothing is signed (low-water)',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      try {
        const { config } = await readConfig(pool);
        this.set({ part: 'low-water' }, config.withdraw.lowWaterLamports / LAMPORTS_A_SOL);
        this.set({ part: 'held' }, Number((await chain.treasury()).lamports) / LAMPORTS_A_SOL);
      } catch {
        // Away: an old figure would say that all is well.
        this.reset();
      }
    },
  });
}
