import type { WorkerStatus } from '@reelbook/event-store/leased-worker';
import { readConfig } from '@reelbook/payments/review';
import { Gauge, measureStatus, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import type { RunningCashier } from './start.ts';

export interface Measured extends Pick<RunningCashier, 'mismatch' | 'figures'> {
  status(): WorkerStatus;
  readonly pool: pg.Pool;
  readonly chain: Pick<Chain, 'treasury'>;
}

/** The state of this cashier and the treasury's SOL, read at each scrape. */
export function measureCashier({ status, mismatch, figures, pool, chain }: Measured): Registry {
  const registry = openMetrics('cashier');
  measureStatus(registry, 'cashier', {
    status,
    figures: {
      leader: ['1 while this process holds the lease', ({ acting }) => acting],
      treasury_unexplained: [
        '1 while the treasury holds less or more than its transactions explain',
        () => mismatch() !== null,
      ],
      unlisted_withdrawals: [
        'Open withdrawals of the last day that the read model lacks: it lags, or its rows were changed',
        () => figures().unlisted,
      ],
      scan_age_seconds: [
        'Time since the transactions of the treasury were scanned to the end; 0 while this process does not hold the lease',
        () => figures().scanAgeS,
      ],
    },
  });
  measureSol(registry, { pool, chain });
  return registry;
}

const LAMPORTS_PER_SOL = 1e9;

/** The treasury's SOL, read from the chain at each scrape, and the low-water mark below which nothing is signed. */
function measureSol(registry: Registry, { pool, chain }: Pick<Measured, 'pool' | 'chain'>): void {
  new Gauge({
    name: 'reelbook_treasury_sol',
    help: 'SOL of the treasury (held), and the minimum below which the cashier signs nothing (low-water)',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      try {
        const { config } = await readConfig(pool);
        this.set({ part: 'low-water' }, config.withdraw.lowWaterLamports / LAMPORTS_PER_SOL);
        this.set({ part: 'held' }, Number((await chain.treasury()).lamports) / LAMPORTS_PER_SOL);
      } catch {
        // The chain is unavailable: no figure is better than an old one.
        this.reset();
      }
    },
  });
}
