import { type AuditReport, auditLedger } from '@reelbook/audit/audit';
import type { ChainCompared, ChainOrder } from '@reelbook/audit/chain/reconcile';
import { auditWithChain, type Verdict, verdictOf } from '@reelbook/audit/report';
import { type CashierDeps, type RunningCashier, startCashier } from '@reelbook/cashier/start';
import type { GatewayLocalChain } from '@reelbook/gateway/context';
import { readSolvency, type Solvency } from '@reelbook/payments/solvency';
import {
  readWithdrawal,
  type WithdrawalStatus,
} from '@reelbook/projections/withdrawals/projection';
import { openLog } from '@reelbook/runtime/log';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { addOperator } from '@reelbook/testing/operators';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { expect, vi } from 'vitest';
import { LAG } from './lag.ts';
import { type SiteOptions, startSite, type TestPlayer, type TestSite } from './site.ts';

/** A site with its own chain, whose blocks a test produces, and cashiers that a test starts and stops. */
export interface PayingSite {
  readonly site: TestSite;
  readonly chain: TestChain;
  /** All that cashiers logged. */
  readonly logged: readonly string[];
  /** Another cashier; closed with the site unless `abandon` is called. */
  startCashier(o?: Partial<CashierDeps>): Promise<RunningCashier>;
  /** A player with so much BSM and some SOL in the wallet on the chain. */
  player(tokenMinor: bigint): Promise<TestPlayer>;
  /** A transfer to the treasury that became final. @returns its signature. */
  deposit(from: TestPlayer, tokenMinor: bigint): Promise<string>;
  /** The same, credited. Of a player without a balance, while a cashier acts. */
  credit(player: TestPlayer, tokenMinor: bigint): Promise<void>;
  /** Asks for a withdrawal, to the player's own wallet where no other is given. @returns its id. */
  withdraw(player: TestPlayer, amount: number, to?: string): Promise<string>;
  statusOf(withdrawal: string): Promise<WithdrawalStatus | undefined>;
  /** Lets blocks pass until a withdrawal has a status; none until `signed`, so that it cannot expire. */
  reaches(withdrawal: string, status: WithdrawalStatus): Promise<void>;
  /** Produces blocks until the assertion passes. */
  until(assertion: () => Promise<void> | void): Promise<void>;
  balanceMinor(player: TestPlayer): Promise<bigint>;
  /** The newest of a player's transactions; empty when there are none. */
  newestEntry(player: TestPlayer): Promise<string>;
  solvency(): Promise<Solvency>;
  /** The audit with its chain, as `npm run reelbook -- audit` runs it with the settings of this site. */
  audit(order?: Partial<ChainOrder>): Promise<ChainAudit>;
  /**
   * The audit passes, and the chain equals the ledger to the last unit. `isShort`: somebody else
   * took of the treasury what players own, which is a finding, and the only one.
   */
  expectIntact(o?: { readonly isShort?: boolean }): Promise<void>;
  close(): Promise<void>;
}

export interface ChainAudit {
  readonly report: AuditReport;
  readonly compared: ChainCompared;
  readonly verdict: Verdict;
  /** Every finding, and every reason why something is unproven. */
  readonly messages: readonly string[];
}

export const BSM = 1_000_000_000n;
/** Operators of every such site, as the actors that they are. */
export const OPERATORS = {
  anna: `operator:${createWallet(101).address}`,
  bert: `operator:${createWallet(102).address}`,
  carl: `operator:${createWallet(103).address}`,
} as const;
const ROUND_MS = 25;
const LEASE_MS = 2_000;

export interface PayingOptions extends Pick<SiteOptions, 'sweep' | 'games' | 'prepare'> {
  readonly feeBasisPoints?: number;
}

export async function startPayingSite({
  feeBasisPoints,
  ...o
}: PayingOptions = {}): Promise<PayingSite> {
  const chain = await startTestChain(feeBasisPoints === undefined ? {} : { feeBasisPoints });
  // Used up: tests give money by `fund`.
  const faucet: GatewayLocalChain['faucet'] = async () => ({ waitS: 60, minutes: 1 });
  const local = { rpcUrl: chain.local.url, faucet };
  const site = await startSite({
    chain: { chain: chain.chain, network: 'local', publicRpcUrl: null, local },
    ...o,
  });
  for (const actor of Object.values(OPERATORS)) {
    await addOperator(site.pool, actor.slice('operator:'.length), 'operator');
  }
  const logged: string[] = [];
  const log = openLog({
    name: 'cashier',
    level: 'info',
    sink: { write: (line) => void logged.push(line) },
  });
  const cashiers: RunningCashier[] = [];
  const until: PayingSite['until'] = (assertion) =>
    vi.waitFor(async () => {
      chain.finalize();
      await assertion();
    }, WAIT);
  const solvency = () => readSolvency(site.pool);
  return {
    site,
    chain,
    logged,
    until,
    solvency,
    async startCashier(o = {}) {
      const cashier = startCashier({
        pool: site.pool,
        chain: chain.chain,
        signer: chain.treasury,
        log,
        localChain: true,
        witnesses: 2,
        roundEveryMs: ROUND_MS,
        leaseMs: LEASE_MS,
        lagMs: LAG.cashierMs,
        onAppended: () => site.bus.nudge(),
        ...o,
      });
      cashiers.push(cashier);
      return cashier;
    },
    async player(tokenMinor) {
      const wallet = createWallet();
      await chain.fund(tokenMinor, wallet);
      return site.login(wallet);
    },
    ...movesOf(site, chain, until),
    async newestEntry(player) {
      const { data } = await player.call<{ items: { description: string }[] }>(
        '/user/transactions',
      );
      return data.items[0]?.description ?? '';
    },
    audit: (order = {}) => auditPaying(site, chain, order),
    async expectIntact({ isShort = false } = {}) {
      const { tokenMinor } = await chain.chain.treasury();
      await until(async () => {
        const now = await solvency();
        expect(now.reached).toBe(now.position);
        expect(now.inFlightMinor).toBe(0n);
        expect(now.onChainMinor).toBe(tokenMinor);
      });
      await expectFindings(site.pool, isShort);
      const now = await solvency();
      const sum = now.liabilitiesMinor + now.feesMinor + now.houseMinor - now.chainMinor;
      expect(sum).toBe(0n);
    },
    async close() {
      for (const cashier of cashiers) await cashier.close();
      await site.close();
      await chain.close();
    },
  };
}

/** Deposits and withdrawals of players. */
function movesOf(site: TestSite, chain: TestChain, until: PayingSite['until']) {
  const moves: Pick<PayingSite, MoveName> = {
    async deposit(from, tokenMinor) {
      const signature = await chain.deposit(from.wallet, tokenMinor);
      chain.finalize();
      return signature;
    },
    async balanceMinor(player) {
      const { data } = await player.call<{ token_balance: number }>('/user/balance');
      return BigInt(Math.round(data.token_balance * Number(BSM)));
    },
    async credit(player, tokenMinor) {
      await moves.deposit(player, tokenMinor);
      await until(async () => expect(await moves.balanceMinor(player)).toBe(tokenMinor));
    },
    async withdraw(player, amount, to = player.wallet.address) {
      const { status, message, data } = await player.call<{ withdrawal_id: string }>(
        '/transaction/withdraw',
        { body: { amount, to_address: to } },
      );
      expect(status, message).toBe(200);
      return data.withdrawal_id;
    },
    statusOf: async (id) => (await readWithdrawal(site.pool, id))?.status,
    reaches(id, status) {
      const reached = async () => expect(await moves.statusOf(id)).toBe(status);
      return status === 'signed' ? vi.waitFor(reached, WAIT) : until(reached);
    },
  };
  return moves;
}
type MoveName = 'deposit' | 'balanceMinor' | 'credit' | 'withdraw' | 'statusOf' | 'reaches';

async function auditPaying(
  { pool }: TestSite,
  { local, treasury }: TestChain,
  order: Partial<ChainOrder>,
): Promise<ChainAudit> {
  const wallets = [{ wallet: treasury.address, fromSlot: null }];
  const given = { urls: local.urls, wallets, accepted: [], folder: null, all: false };
  const { report, compared } = await auditWithChain({
    pool,
    vault: null,
    onProgress: () => {},
    chain: { ...given, isOffline: false, ...order },
  });
  const messages = report.findings.kept.map(({ message }) => message);
  const verdict = verdictOf(report, compared.unproven);
  return { report, compared, verdict, messages: [...messages, ...compared.unproven] };
}

async function expectFindings(pool: TestSite['pool'], isShort: boolean): Promise<void> {
  const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
  const short = { check: 'treasury', message: expect.stringContaining('less than is owed') };
  expect(findings.kept).toMatchObject(isShort ? [short] : []);
}
