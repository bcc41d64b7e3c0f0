import { toNumber } from '@reelbook/ledger/money';
import { Gauge, type Registry } from '@reelbook/runtime/metrics';
import type pg from 'pg';
import { readSolvency } from './solvency.ts';

/** Assets and liabilities in BSM, and the cashier's queues, read at each scrape. */
export function measureSolvency(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'reelbook_token_balance',
    help: 'BSM by part: liabilities to players, held, fees, house, on chain, in flight, margin, over-cap (amount above the cap of the hot wallet: alert above 0)',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const now = await readSolvency(pool);
      const parts = {
        players: now.playersMinor,
        held: now.heldMinor,
        unmatched: now.unmatchedMinor,
        liabilities: now.liabilitiesMinor,
        fees: now.feesMinor,
        house: now.houseMinor,
        'on-chain': now.onChainMinor ?? 0n,
        'in-flight': now.inFlightMinor,
        margin: now.marginMinor,
        'over-cap': now.overCapMinor ?? 0n,
      };
      for (const [part, minor] of Object.entries(parts)) {
        this.set({ part }, toNumber('token', minor));
      }
    },
  });
  new Gauge({
    name: 'reelbook_payment_queue_length',
    help: 'Entries in each queue of the cashier',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const { queues } = await readSolvency(pool);
      const { oldestWithdrawalS: _, ...sizes } = queues;
      for (const [queue, size] of Object.entries(sizes)) this.set({ queue: kebab(queue) }, size);
    },
  });
  new Gauge({
    name: 'reelbook_oldest_withdrawal_age_seconds',
    help: 'Age of the oldest open withdrawal; 0 if there is none',
    registers: [registry],
    async collect() {
      this.set((await readSolvency(pool)).queues.oldestWithdrawalS);
    },
  });
}

/** Label values are in kebab case. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
