import { advance, type Lease, LeaseLost } from '@reelbook/event-store/checkpoint';
import { logClockFaults } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import {
  startLeasedWorker,
  type Turn,
  type WorkerStatus,
} from '@reelbook/event-store/leased-worker';
import { readHead } from '@reelbook/event-store/read-log';
import { pause } from '@reelbook/runtime/alarm';
import type { Logger } from '@reelbook/runtime/log';
import type { Signer } from '@reelbook/solana/keys';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import { type Anchoring, anchorSeals } from './anchor.ts';
import { type Cashier, type CrashPoint, isLedgerReady } from './context.ts';
import { type Looks, observe } from './observe.ts';
import { lookForReports } from './reports.ts';
import { type Outflow, scan, type Walk } from './scan.ts';
import { settleMovements, settleUnmatched } from './settle.ts';
import { type Memory, newMemory, workWithdrawals } from './withdrawals.ts';

const FOLLOWER = { name: 'cashier', version: 1 } as const;
const LEASE_MS = 15_000;
const STANDBY_MS = 2_000;
const ROUND_EVERY_MS = 1_000;
/** A ledger without a mint waits for its first gateway, which is on its way. */
const UNTIL_READY_MS = 250;
/** A lease that was renewed so lately is not renewed again before the next step. */
const RENEW_EVERY_MS = 3_000;

export interface CashierDeps {
  /** Role app. Closed by whoever opened it. */
  readonly pool: pg.Pool;
  readonly chain: Chain;
  /** The treasury's key, which no other process holds; null: this one only takes in. */
  readonly signer: Signer | null;
  readonly log: Logger;
  /** Whether the chain is one of our own, and so the ledger of play money. */
  readonly localChain: boolean;
  /** 1 only where the chain is our own: it has no second node to ask. */
  readonly witnesses: 1 | 2;
  /** As in `Cashier`; none by default. */
  readonly anchorEveryMs?: number | null;
  readonly roundEveryMs?: number;
  readonly leaseMs?: number;
  /** How much later each round begins: for tests, none in production. */
  readonly lagMs?: number;
  /** Called after each append, so that the publisher need not wait for its next look. */
  readonly onAppended?: () => void;
  /** For tests, which crash at such points. */
  readonly at?: (point: CrashPoint) => Promise<void> | void;
}

export interface RunningCashier {
  status(): WorkerStatus;
  /** Resolves at the end of the next round in which every part did its work. */
  round(): Promise<void>;
  /** Resolves when nothing is under way and the lease is free. */
  close(): Promise<void>;
}

/** Starts the cashier: it acts while it has the lease, and stands by while another has it. Waits for a chain that is away. */
export function startCashier(deps: CashierDeps): RunningCashier {
  const { pool, log, leaseMs = LEASE_MS, at = () => {}, anchorEveryMs = null } = deps;
  const executor = startExecutor({
    pool,
    onAppended: () => deps.onAppended?.(),
    onClockFault: logClockFaults(log),
  });
  const waiting = new Set<() => void>();
  const standbyMs = Math.min(STANDBY_MS, leaseMs);
  // Another's lease in between does not undo what was sent: whoever comes back to it first names it, and once.
  const anchoring: Anchoring = { sent: null };
  let lease: Lease | null = null;
  let holding: Holding | null = null;

  /** Null while the ledger has no mint: its first gateway is on its way. */
  async function begin({ hold }: Turn, { position }: Lease): Promise<Holding | null> {
    const terms = await deps.chain.terms();
    if (!(await isLedgerReady(pool, { ...terms, localChain: deps.localChain }))) return null;
    const memory: Remembered = {
      looks: { missing: 0, unexplained: 0 },
      outflow: { waiting: null },
      walk: { marks: [] },
      withdrawals: newMemory((await readHead(pool)).position),
      anchoring,
    };
    return {
      cashier: { ...deps, executor, terms, hold, at, anchorEveryMs },
      memory,
      from: position,
    };
  }

  async function act(turn: Turn): Promise<void> {
    if (!lease) return;
    holding ??= await begin(turn, lease);
    if (!holding) return await pause(UNTIL_READY_MS, turn.signal);
    const { position: to } = await readHead(pool);
    const whole = await round(holding.cashier, holding.memory);
    if (whole && to > holding.from) {
      // Everything that the ledger asked for up to here was looked at: how far behind it is shows like any follower's.
      await advance(pool, [lease], { from: holding.from, to, leaseMs });
      holding.from = to;
    }
    if (whole) for (const done of [...waiting]) done();
    turn.done(whole ? null : 'a part of the last round failed; the log has which');
    await pause((deps.roundEveryMs ?? ROUND_EVERY_MS) + (deps.lagMs ?? 0), turn.signal);
  }

  const worker = startLeasedWorker({
    ...{ pool, log, followers: [FOLLOWER], turn: act },
    timing: {
      ...{ leaseMs, standbyMs, retryMinMs: standbyMs, retryMaxMs: standbyMs },
      renewMs: Math.min(RENEW_EVERY_MS, leaseMs / 3),
    },
    // Another may do better: with an RPC that answers, or a way to Postgres.
    releasesOnFailure: true,
    onTaken(taken) {
      lease = taken;
    },
    onLost() {
      lease = null;
      holding = null;
    },
  });
  return {
    status: worker.status,
    round: () =>
      new Promise((resolve) => {
        const done = () => {
          waiting.delete(done);
          resolve();
        };
        waiting.add(done);
      }),
    async close() {
      await worker.close();
      await executor.close();
    },
  };
}

/** What is kept between rounds, and but for the memo that is on its way lost with the lease. */
interface Remembered {
  readonly looks: Looks;
  readonly outflow: Outflow;
  readonly walk: Walk;
  readonly withdrawals: Memory;
  readonly anchoring: Anchoring;
}

/** What begins with a lease and ends with it. */
interface Holding {
  readonly cashier: Cashier;
  readonly memory: Remembered;
  /** Where the checkpoint is. */
  from: number;
}

/** One round. A part that fails does not keep the others from their work. @returns whether none did. */
async function round(cashier: Cashier, memory: Remembered): Promise<boolean> {
  let whole = true;
  const part = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      whole = false;
      cashier.log.warn({ err: error }, `${name} failed; the next round tries it again`);
    }
  };
  await part('scanning the treasury', async () => {
    const scanned = await scan(cashier, memory);
    // In the middle of many transactions nothing explains yet what the treasury holds.
    if (scanned) await observe(cashier, scanned, memory.looks);
  });
  await part('booking what arrived', () => settleMovements(cashier));
  await part('resolving deposits', () => settleUnmatched(cashier));
  await part('looking for reports', () => lookForReports(cashier));
  await part('paying withdrawals', () => workWithdrawals(cashier, memory.withdrawals));
  await part('anchoring seals', () => anchorSeals(cashier, memory.anchoring));
  return whole;
}
