import { toNumber } from '@reelbook/ledger/money';
import { readSolvency } from '@reelbook/payments/solvency';
import { Gauge, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type pg from 'pg';

export interface CashierMetrics {
  readonly registry: Registry;
  /** 1 while this process is the one that acts. */
  readonly acting: Gauge;
  readonly lamports: Gauge;
  /** What the treasury holds beyond its transactions, in minor units: not 0 for long is an alarm. */
  readonly unexplained: Gauge;
}

export function openCashierMetrics(pool: pg.Pool): CashierMetrics {
  const registry = openMetrics('cashier');
  const registers = [registry];
  measureSolvency(registry, pool);
  return {
    registry,
    acting: new Gauge({ name: 'reelbook_cashier_acting', help: '1: acts', registers }),
    lamports: new Gauge({
      name: 'reelbook_treasury_lamports',
      help: 'SOL of the treasury, in lamports',
      registers,
    }),
    unexplained: new Gauge({
      name: 'reelbook_treasury_unexplained_minor',
      help: 'Balance of the treasury less what its transactions add up to, in minor units',
      registers,
    }),
  };
}

/** What is there and what is owed, in whole BSM, and the queues: read when they are asked for. */
export function measureSolvency(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'reelbook_token',
    help: 'BSM by what it is: liabilities, house, fees, on chain, in flight, margin',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const now = await readSolvency(pool);
      const bsm = (minor: bigint | null) => toNumber('token', minor ?? 0n);
      this.set({ part: 'players' }, bsm(now.playersMinor));
      this.set({ part: 'held' }, bsm(now.heldMinor));
      this.set({ part: 'unmatched' }, bsm(now.unmatchedMinor));
      this.set({ part: 'liabilities' }, bsm(now.liabilitiesMinor));
      this.set({ part: 'fees' }, bsm(now.feesMinor));
      this.set({ part: 'house' }, bsm(now.houseMinor));
      this.set({ part: 'on-chain' }, bsm(now.onChainMinor));
      this.set({ part: 'in-flight' }, bsm(now.inFlightMinor));
      this.set({ part: 'margin' }, bsm(now.marginMinor));
    },
  });
  new Gauge({
    name: 'reelbook_payments_waiting',
    help: 'Queue sizes of the cashier, and the age of the oldest open withdrawal in seconds',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const { queues } = await readSolvency(pool);
      for (const [queue, size] of Object.entries(queues)) this.set({ queue }, size);
    },
  });
}
