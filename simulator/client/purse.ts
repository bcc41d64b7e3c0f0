/** Players bring BSM over the chain, change it for points, and take some out again while cashiers die. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { DECIMALS, unit } from '@reelbook/ledger/money';
import { playerStream } from '@reelbook/ledger/streams';
import { buildDeposit, sendDeposit } from '@reelbook/solana/deposit';
import { keypair } from '@reelbook/solana/keys';
import { openChain } from '@reelbook/solana/rpc';
import type { TestWallet } from '@reelbook/testing/wallets';
import { VersionedTransaction } from '@solana/web3.js';
import type { Compose } from '../stages/compose.ts';
import type { Command } from '../verdict/spins.ts';
import type { Player } from './player.ts';

const BSM = unit('token');
/** What the faucet gives, what is brought at first and what of it becomes points: 9,000. */
const FIRST_DEPOSIT = 95;
const EXCHANGED = 90;
/** Amounts of a deposit and a withdrawal. */
const LATER_DEPOSIT = 1;
const WITHDRAWN = 1;
const CREDIT_TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 500;

export interface Purse {
  /** From the chain to points; resolves when the player can play. */
  fill(): Promise<void>;
  /** One deposit and one withdrawal; resolves when both are requested. */
  move(): Promise<void>;
  /** Differences from what was requested; empty: every deposit was credited and every withdrawal paid, once. */
  faults(commands: readonly Command[]): Promise<readonly string[]>;
  readonly counts: { readonly deposits: number; readonly withdrawals: number };
  /** Their ids. */
  withdrawals(): readonly string[];
}

interface Balance {
  readonly token_balance: number;
}

export function openPurse(compose: Compose, player: Player): Purse {
  const { wallet } = player;
  const { TOKEN_MINT: mint = '', TREASURY_WALLET: treasury = '' } = compose.settings;
  const urls = [compose.rpcUrl];
  const chain = openChain({ urls, mint, wallet: treasury, decimals: DECIMALS.token });
  const deposits = new Map<string, bigint>();
  const withdrawals = new Map<string, bigint>();
  let given = 0n;
  let exchanges = 0;

  async function deposit(amount: number): Promise<void> {
    const amountMinor = BigInt(amount) * BSM;
    const transaction = VersionedTransaction.deserialize(
      (
        await buildDeposit({
          rpcUrl: compose.rpcUrl,
          mint,
          projectWallet: treasury,
          from: wallet.address,
          amountMinor,
        })
      ).bytes,
    );
    transaction.sign([keypair(wallet)]);
    const bytes = transaction.serialize();
    const signature = await sendDeposit({ rpcUrl: compose.rpcUrl, bytes });
    deposits.set(signature, amountMinor);
    const body = { amount, tx_hash: signature };
    await player.insist('/transaction/deposit', { body });
  }

  async function order<Data>(path: string, key: string, body: object): Promise<Data> {
    const answer = await player.insist<Data>(path, { key, body });
    if (answer.status === 200) return answer.data;
    throw new Error(`${path}: ${answer.status} ${answer.message}`);
  }

  return {
    async fill() {
      given = await askFaucet(compose, wallet);
      await player.enter();
      await deposit(FIRST_DEPOSIT);
      await untilCredited(player, FIRST_DEPOSIT);
      const body = { from_type: 'token', to_type: 'points', amount: EXCHANGED };
      await order('/transaction/exchange', 'fill', body);
      exchanges++;
    },
    async move() {
      await deposit(LATER_DEPOSIT);
      const key = `withdraw-${withdrawals.size}`;
      const body = { amount: WITHDRAWN, to_address: wallet.address };
      const requested = await order<{ withdrawal_id: string; net_amount: number }>(
        '/transaction/withdraw',
        key,
        body,
      );
      withdrawals.set(
        requested.withdrawal_id,
        BigInt(Math.round(requested.net_amount * Number(BSM))),
      );
    },
    async faults(commands) {
      const faults = examine(commands, { wallet, deposits, withdrawals, exchanges });
      const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, one) => all + one, 0n);
      const left = given - sum(deposits.values()) + sum(withdrawals.values());
      const there = await chain.walletBalance(wallet.address);
      if (there !== left) faults.push(`${wallet.address} has ${there} on the chain, not ${left}`);
      return faults;
    },
    withdrawals: () => [...withdrawals.keys()],
    get counts() {
      return { deposits: deposits.size, withdrawals: withdrawals.size };
    },
  };
}

/** @returns what it gave. */
async function askFaucet(compose: Compose, wallet: TestWallet): Promise<bigint> {
  const answer = await fetch(compose.faucetUrl, {
    method: 'POST',
    body: JSON.stringify({ wallet: wallet.address }),
  });
  if (!answer.ok) throw new Error(`the faucet: ${answer.status} ${await answer.text()}`);
  const { amount } = (await answer.json()) as { amount: number };
  return BigInt(amount) * BSM;
}

async function untilCredited(player: Player, amount: number) {
  const deadline = performance.now() + CREDIT_TIMEOUT_MS;
  for (;;) {
    const { data } = await player.insist<Balance>('/user/balance');
    if (data.token_balance >= amount) return;
    if (performance.now() > deadline) throw new Error('a deposit was not credited');
    await sleep(LOOK_EVERY_MS);
  }
}

/** Types of events that move money over the chain or between assets: what `examine` answers for. */
const MONEY = /^(Exchanged|DepositCredited|Withdrawal\w+)$/;

export const isMoney = ([first]: Command) => MONEY.test(first?.event.type ?? '');

function examine(
  commands: readonly Command[],
  o: {
    readonly wallet: TestWallet;
    readonly deposits: ReadonlyMap<string, bigint>;
    readonly withdrawals: ReadonlyMap<string, bigint>;
    readonly exchanges: number;
  },
): string[] {
  const stream = playerStream(o.wallet.address);
  const events = commands.flat().filter((placed) => placed.stream === stream);
  const faults: string[] = [];
  const credited = amounts(events, 'DepositCredited', 'signature', 'amountMinor');
  const paid = amounts(events, 'WithdrawalFinalized', 'withdrawal', 'netMinor');
  const compare = (
    what: string,
    requested: ReadonlyMap<string, bigint>,
    found: [string, bigint][],
  ) => {
    for (const [id, minor] of requested) {
      const times = found.filter(([one, amount]) => one === id && amount === minor).length;
      if (times !== 1) faults.push(`${stream}: ${what} ${id} is in the ledger ${times} times`);
    }
    if (found.length !== requested.size) {
      faults.push(
        `${stream}: ${requested.size} of ${what} requested, ${found.length} in the ledger`,
      );
    }
  };
  compare('deposit', o.deposits, credited);
  compare('withdrawal', o.withdrawals, paid);
  const requested = events.filter(({ event }) => event.type === 'WithdrawalRequested').length;
  if (requested !== o.withdrawals.size)
    faults.push(`${stream}: ${requested} withdrawals requested`);
  const exchanged = events.filter(({ event }) => event.type === 'Exchanged').length;
  if (exchanged !== o.exchanges) faults.push(`${stream}: ${exchanged} exchanges`);
  return faults;
}

function amounts(
  events: readonly PlacedEvent[],
  type: string,
  id: string,
  amount: string,
): [string, bigint][] {
  return events
    .filter(({ event }) => event.type === type)
    .map(({ event }) => {
      const data = event.data as unknown as Readonly<Record<string, unknown>>;
      return [String(data[id]), BigInt(String(data[amount]))];
    });
}
