import { advance, type Lease, LeaseLost } from '@reelbook/event-store/checkpoint';
import { checkClocks, logClockFaults } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { integrityFault } from '@reelbook/event-store/integrity';
import {
  startLeasedWorker,
  type Turn,
  type WorkerStatus,
} from '@reelbook/event-store/leased-worker';
import { readHead } from '@reelbook/event-store/read-log';
import { startProver } from '@reelbook/event-store/read-stream';
import { readConfig } from '@reelbook/payments/operator-actions';
import { pause } from '@reelbook/runtime/alarm';
import { workerCheck } from '@reelbook/runtime/health';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { Gauge, measureStatus, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import { anchorEveryMsOf } from '@reelbook/runtime/sealing';
import type { Service } from '@reelbook/runtime/service';
import { cashierLagMs } from '@reelbook/runtime/test-lag';
import type { Signer } from '@reelbook/solana/keys';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import { type Anchoring, anchorSeals } from './anchor.ts';
import { type Dust, recordDust } from './classify.ts';
import { type Cashier, type CrashPoint, isLedgerReady } from './context.ts';
import { type Marked, openMarks } from './marks.ts';
import { describeMismatch, explain, type Mismatches, newMismatches, observe } from './observe.ts';
import { scan, type Walk } from './scan.ts';
import { lookUpReports, settleMovements, settleUnmatched } from './settle.ts';
import { type Memory, newMemory, workWithdrawals } from './withdrawals.ts';

const FOLLOWER = { name: 'cashier', version: 1 } as const;
const LEASE_MS = 15_000;
const STANDBY_MS = 2_000;
const ROUND_EVERY_MS = 1_000;
/** Retry interval while the first gateway has not configured the mint. */
const UNTIL_READY_MS = 250;
/** A lease is renewed at most once in this time. */
const RENEW_EVERY_MS = 3_000;

export interface CashierDeps {
  /** Role app. Closed by its opener. */
  readonly pool: pg.Pool;
  readonly chain: Chain;
  /** The treasury's key, known to no other process; null: this cashier only credits deposits. */
  readonly signer: Signer | null;
  readonly log: Logger;
  /** Its end shows what the ledger lacks; null or missing: without NATS. */
  readonly bus?: Marked['bus'];
  /** Whether the chain is local, and so the ledger play money. */
  readonly localChain: boolean;
  /** 1 only for a local chain, which has one node. */
  readonly witnesses: 1 | 2;
  /** As in `Cashier`; null by default. */
  readonly anchorEveryMs?: number | null;
  readonly roundEveryMs?: number;
  readonly leaseMs?: number;
  /** Delays each round, for tests. */
  readonly lagMs?: number;
  /** As in `Cashier`; for tests of what holds without it. */
  readonly integrity?: () => Promise<string | null>;
  /** Called after each append, to wake the publisher. */
  readonly onAppended?: () => void;
  /** For tests that crash at these points. */
  readonly at?: (point: CrashPoint) => Promise<void> | void;
}

export interface RunningCashier {
  status(): WorkerStatus;
  /** What of the treasury's balance needs a person; null: nothing. */
  mismatch(): string | null;
  /** Players of whom nothing is paid, because their stored state differs from their events; null: none. */
  differing(): string | null;
  /** While this cashier acts: withdrawals that only the events list, and the time since the treasury was scanned to the end. */
  figures(): { readonly unlisted: number; readonly scanAgeS: number };
  /** Resolves at the end of the next round in which no part failed. */
  round(): Promise<void>;
  /** Resolves when no work is in progress and the lease is free. */
  close(): Promise<void>;
}

function timingOf(leaseMs: number) {
  const standbyMs = Math.min(STANDBY_MS, leaseMs);
  return {
    leaseMs,
    standbyMs,
    retryMinMs: standbyMs,
    retryMaxMs: standbyMs,
    renewMs: Math.min(RENEW_EVERY_MS, leaseMs / 3),
  };
}

/** Starts the cashier: active with the lease, on standby without it. Waits while the chain is unavailable. */
export function startCashier(deps: CashierDeps): RunningCashier {
  const { pool, log, leaseMs = LEASE_MS, at = () => {}, anchorEveryMs = null } = deps;
  const executors = openExecutors(deps);
  const waiting = new Set<() => void>();
  // Outlives the lease: a memo that was sent stays sent, and the next lease holder records it once.
  const anchoring: Anchoring = { sent: null };
  let compareMarks: () => Promise<void>;
  let lease: Lease | null = null;
  let holding: Holding | null = null;

  /** Null while the ledger has no mint. */
  async function begin({ hold }: Turn, { position }: Lease): Promise<Holding | null> {
    const terms = await deps.chain.terms();
    if (!(await isLedgerReady(pool, { ...terms, localChain: deps.localChain }))) return null;
    const memory = remembered(anchoring);
    return {
      cashier: {
        ...deps,
        ...executors,
        terms,
        hold,
        at,
        anchorEveryMs,
        treasury: memory.mismatches,
        prove: startProver(pool, hold),
        integrity: deps.integrity ?? (() => integrityFault(pool)),
      },
      memory,
      from: position,
    };
  }

  async function act(turn: Turn): Promise<void> {
    if (!lease) return;
    await checkClocks(pool);
    holding ??= await begin(turn, lease);
    if (!holding) return await pause(UNTIL_READY_MS, turn.signal);
    await compareMarks();
    const { position: to } = await readHead(pool);
    const succeeded = await round(holding.cashier, holding.memory);
    if (succeeded && to > holding.from) {
      // All events up to `to` are processed: the checkpoint shows the lag like any follower's.
      await advance(pool, [lease], { from: holding.from, to, leaseMs });
      holding.from = to;
    }
    if (succeeded) for (const done of [...waiting]) done();
    turn.done(succeeded ? null : 'a part of the last round failed; see the log');
    await pause((deps.roundEveryMs ?? ROUND_EVERY_MS) + (deps.lagMs ?? 0), turn.signal);
  }

  const worker = startLeasedWorker({
    pool,
    log,
    followers: [FOLLOWER],
    turn: act,
    timing: timingOf(leaseMs),
    // Another process may have a working RPC, database connection or clock.
    releasesOnFailure: true,
    onTaken(taken) {
      lease = taken;
      // Once a lease: what another process paid before it may be lost without a trace in this one.
      compareMarks = openMarks({ pool, chain: deps.chain, bus: deps.bus ?? null });
    },
    onLost() {
      lease = null;
      holding = null;
    },
  });
  return {
    status: worker.status,
    mismatch: () => holding && describeMismatch(holding.memory.mismatches),
    differing: () => [...(holding?.memory.withdrawals.differing.values() ?? [])].join('; ') || null,
    figures: () => ({
      unlisted: holding?.memory.withdrawals.unlisted ?? 0,
      scanAgeS: holding ? (performance.now() - holding.memory.scannedAtMs) / 1_000 : 0,
    }),
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
      for (const one of Object.values(executors)) await one.close();
    },
  };
}

/** They reserve, because a player who bets without a pause would hold off payments. */
function openExecutors({ pool, log, onAppended }: CashierDeps) {
  const common = {
    pool,
    reserves: true,
    onAppended: () => onAppended?.(),
    onClockFault: logClockFaults(log),
  };
  return {
    executor: startExecutor(common),
    proving: startExecutor({ ...common, fromEvents: true }),
  };
}

/** State between rounds. Lost with the lease, except `anchoring`. */
interface Remembered {
  readonly mismatches: Mismatches;
  readonly walk: Walk;
  readonly withdrawals: Memory;
  readonly dust: Dust;
  /** When the last scan reached the end of the list, or the lease began. */
  scannedAtMs: number;
  readonly anchoring: Anchoring;
}

const remembered = (anchoring: Anchoring): Remembered => ({
  mismatches: newMismatches(),
  walk: { marks: [] },
  withdrawals: newMemory(),
  dust: new Map(),
  scannedAtMs: performance.now(),
  anchoring,
});

/** State of one lease. */
interface Holding {
  readonly cashier: Cashier;
  readonly memory: Remembered;
  /** The checkpoint's position. */
  from: number;
}

/** One round. A failing part does not stop the others. @returns whether all parts succeeded. */
async function round(cashier: Cashier, memory: Remembered): Promise<boolean> {
  let succeeded = true;
  const part = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      succeeded = false;
      cashier.log.warn({ err: error }, `${name} failed; the next round retries it`);
    }
  };
  await part('scanning the treasury', async () => {
    const scanned = await scan(cashier, memory.walk);
    // An unfinished scan does not explain the treasury's balance.
    if (!scanned) return;
    memory.scannedAtMs = performance.now();
    await observe(cashier, scanned, { ...memory, waiting: memory.dust });
  });
  await part('explaining the treasury', () => explain(cashier, memory.mismatches));
  await part('recording arrivals', () => settleMovements(cashier, memory.dust));
  await part('recording dust', () => recordDust(cashier, memory.dust));
  await part('resolving deposits', () => settleUnmatched(cashier));
  await part('looking up reports', () => lookUpReports(cashier));
  await part('paying withdrawals', () => workWithdrawals(cashier, memory.withdrawals));
  await part('anchoring seals', () => anchorSeals(cashier, memory.anchoring));
  return succeeded;
}

interface Measured extends Pick<RunningCashier, 'mismatch' | 'figures'> {
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

/** The cashier in a service: in its own process, or in the standalone. */
export function addCashier(
  service: Service,
  o: Pick<
    CashierDeps,
    'pool' | 'bus' | 'chain' | 'signer' | 'localChain' | 'witnesses' | 'onAppended'
  >,
): void {
  const { log, settings } = service;
  if (!o.localChain && o.chain.providers < 2 && settings.singleRpcProvider !== 'yes') {
    throw new StartError(
      'SOLANA_RPC_URL names one provider, which could invent deposits. Add a URL of another provider, or set SINGLE_RPC_PROVIDER=yes.',
    );
  }
  const { status, mismatch, differing, figures, close } = startCashier({
    ...o,
    log,
    lagMs: cashierLagMs(settings.testLag),
    anchorEveryMs: anchorEveryMsOf(settings),
  });
  const registry = measureCashier({ ...o, status, mismatch, figures });
  const checks = [
    workerCheck('rounds', status),
    // Named, but it does not take the process out of service: the other players are paid.
    { name: 'stored-states', optional: true, check: differing },
  ];
  service.add('cashier', { close, checks, registry });
}
