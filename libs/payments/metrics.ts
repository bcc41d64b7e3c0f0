import { foldedState, loadState } from '@reelbook/event-store/read-stream';
import { configDecider } from '@reelbook/ledger/config/decide';
import { toNumber } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { openFindings } from '@reelbook/ledger/operators/findings';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { Gauge, type Registry } from '@reelbook/runtime/metrics';
import type pg from 'pg';
import { readStuckMinor } from './in-flight.ts';
import { readSolvency } from './solvency.ts';
import { readWaitingDeposits, readWaitingMovements, readWaitingWithdrawals } from './waiting.ts';

/** Assets and liabilities in BSM, and the cashier's queues, read at each scrape. */
export function measureSolvency(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'reelbook_token_balance',
    help: 'BSM by part: liabilities to players, held, fees, house, on chain, in flight, stuck (in flight for more than an hour), margin, over-cap (amount above the cap of the hot wallet)',
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
        stuck: await readStuckMinor(pool, now),
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
      for (const [queue, size] of Object.entries(queues)) {
        if (queue !== 'oldestWithdrawalS') this.set({ queue: kebab(queue) }, size);
      }
    },
  });
  measureWaiting(registry, pool);
  new Gauge({
    name: 'reelbook_withdrawals_enabled',
    help: '0 while withdrawals are switched off',
    registers: [registry],
    async collect() {
      const { state } = await loadState(pool, configDecider, CONFIG_STREAM);
      this.set(Number(state.config?.withdraw.enabled ?? true));
    },
  });
  new Gauge({
    name: 'reelbook_open_findings',
    help: 'Findings of audits that operators have not accepted: they hold automatic payments',
    registers: [registry],
    async collect() {
      const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
      this.set(openFindings(state).size);
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

function measureWaiting(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'reelbook_waiting_payments',
    help: 'Payments that wait for a person, by kind (withdrawal, deposit, transaction of the treasury) and reason; also withdrawals that are open for more than an hour',
    labelNames: ['kind', 'reason'],
    registers: [registry],
    async collect() {
      const kinds = {
        withdrawal: await readWaitingWithdrawals(pool),
        deposit: [{ reason: 'unmatched', count: await readWaitingDeposits(pool) }],
        transaction: await readWaitingMovements(pool),
      };
      this.reset();
      for (const [kind, waiting] of Object.entries(kinds)) {
        for (const { reason, count } of waiting) this.set({ kind, reason }, count);
      }
    },
  });
}

/** Label values are in kebab case. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
