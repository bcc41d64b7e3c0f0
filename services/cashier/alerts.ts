import type { WorkerStatus } from '@reelbook/event-store/leased-worker';
import { describeOverCap } from '@reelbook/ledger/treasury/hot-wallet';
import { treasuryFaults } from '@reelbook/ledger/treasury/in-flight';
import { readStuckMinor } from '@reelbook/payments/in-flight';
import { readConfig } from '@reelbook/payments/review';
import { readSolvency } from '@reelbook/payments/solvency';
import {
  readWaitingDeposits,
  readWaitingMovements,
  readWaitingWithdrawals,
} from '@reelbook/payments/waiting';
import type { Condition, Problem } from '@reelbook/runtime/alerts/condition';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';

interface Watched {
  readonly pool: pg.Pool;
  readonly chain: Pick<Chain, 'treasury'>;
  status(): WorkerStatus;
  mismatch(): string | null;
}

/** What of the payments needs a person. One alert for all withdrawals and one for all deposits. */
export function paymentConditions({
  pool,
  chain,
  status,
  mismatch,
}: Watched): readonly Condition[] {
  /** Evaluated only by the active cashier: the problem has no time in the database. */
  const ofActive = (name: string, read: () => Promise<readonly string[]>): Condition => ({
    name,
    async find() {
      const texts = status().acting ? await read() : [];
      return texts.length === 0 ? [] : [{ text: texts.join('; ') }];
    },
  });
  return [
    { name: 'withdrawals-waiting', find: () => findWithdrawals(pool) },
    { name: 'unmatched-deposits', find: () => findDeposits(pool) },
    { name: 'transactions-waiting', find: () => findTransactions(pool) },
    ofActive('treasury-unexplained', async () => given(mismatch())),
    ofActive('solvency', async () => {
      const now = await readSolvency(pool);
      const stuckMinor = await readStuckMinor(pool, now);
      return treasuryFaults({ marginMinor: now.marginMinor, stuckMinor });
    }),
    ofActive('hot-wallet', async () => {
      const { onChainMinor, hotWalletMaxMinor } = await readSolvency(pool);
      const terms = { hotWalletMaxTokenMinor: hotWalletMaxMinor };
      return given(describeOverCap(onChainMinor ?? 0n, terms));
    }),
    ofActive('treasury-sol', async () => {
      const { lowWaterLamports } = (await readConfig(pool)).config.withdraw;
      const { lamports } = await chain.treasury();
      const isLow = lamports < BigInt(2 * lowWaterLamports);
      return given(isLow ? lowText(lamports, lowWaterLamports) : null);
    }),
    ofActive('withdrawals-paused', async () => {
      const { enabled } = (await readConfig(pool)).config.withdraw;
      return given(enabled ? null : 'withdrawals are switched off');
    }),
  ];
}

const given = (text: string | null) => (text === null ? [] : [text]);

const LAMPORTS_PER_SOL = 1e9;
const lowText = (lamports: bigint, low: number) =>
  `the treasury has ${Number(lamports) / LAMPORTS_PER_SOL} SOL; below ${low / LAMPORTS_PER_SOL} the cashier signs nothing`;

async function findWithdrawals(pool: pg.Pool): Promise<readonly Problem[]> {
  const waiting = await readWaitingWithdrawals(pool);
  const [since] = waiting.map((one) => one.since).sort();
  if (since === undefined) return [];
  const facts = Object.fromEntries(waiting.map(({ reason, count }) => [reason, count]));
  const reasons = waiting.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  return [{ since, text: `withdrawals wait for a person: ${reasons}`, facts }];
}

async function findTransactions(pool: pg.Pool): Promise<readonly Problem[]> {
  const waiting = await readWaitingMovements(pool);
  const [since] = waiting.map((one) => one.since).sort();
  if (since === undefined) return [];
  const facts = Object.fromEntries(waiting.map(({ reason, count }) => [reason, count]));
  const reasons = waiting.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  return [{ since, text: `transactions of the treasury wait for more nodes: ${reasons}`, facts }];
}

async function findDeposits(pool: pg.Pool): Promise<readonly Problem[]> {
  const waiting = await readWaitingDeposits(pool);
  if (!waiting) return [];
  const { since, count } = waiting;
  return [{ since, text: `${count} unmatched deposits wait for an owner`, facts: { count } }];
}
