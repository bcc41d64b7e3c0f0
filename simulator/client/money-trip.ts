import { sendDeposit } from '@reelbook/solana/deposit';
import { signDeposit } from '@reelbook/testing/deposit';
import { WAIT } from '@reelbook/testing/wait';
import type { TestWallet } from '@reelbook/testing/wallets';
import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import { Connection, PublicKey } from '@solana/web3.js';
import { expect, vi } from 'vitest';
import { call, must, readSentence } from './api.ts';

/** Processes start and chains finalize at their own pace. */
const BSM = 1_000_000_000n;
const SPINS = 5;

/** What a player brought over the chain and took away again, in minor units of token. */
export interface Trip {
  readonly depositedMinor: bigint;
  readonly receivedMinor: bigint;
}

/**
 * The path of money as in the player app, with only what the API returns: deposit, exchange,
 * play, exchange back, withdraw. The wallet needs 50 BSM and some SOL; ends when the last payment is final.
 */
export async function takeMoneyTrip(o: {
  readonly origin: string;
  readonly rpcUrl: string;
  readonly wallet: TestWallet;
  /** Between the request of the withdrawal and its end. */
  disturb?(): Promise<void>;
}): Promise<Trip> {
  const { origin, rpcUrl, wallet } = o;
  const login = { body: wallet.login(Date.now(), await readSentence(origin)) };
  const { token } = await must<{ token: string }>(origin, '/auth/login', login);
  const post = <Data>(path: string, body: object) => must<Data>(origin, path, { token, body });
  const balances = () =>
    must<{ points_balance: number; token_balance: number }>(origin, '/user/balance', { token });
  const contract = await must<{ token_contract: string }>(origin, '/config/token-contract');
  const project = await must<{ project_wallet: string }>(origin, '/config/project-wallet');
  const place = { rpcUrl, mint: contract.token_contract, projectWallet: project.project_wallet };

  const depositedMinor = 50n * BSM;
  const { bytes } = await signDeposit(wallet, { ...place, amountMinor: depositedMinor });
  const hash = await sendDeposit({ rpcUrl, bytes });
  const report = { amount: 50, tx_hash: hash };
  const reported = await post<{ status: string }>('/transaction/deposit', report);
  expect(['pending', 'completed']).toContain(reported.status);
  await vi.waitFor(async () => expect((await balances()).token_balance).toBe(50), WAIT);

  await post('/transaction/exchange', { from_type: 'token', to_type: 'points', amount: 20 });
  for (let spin = 0; spin < SPINS; spin++) await post('/game/slot-machine/bet', { bet_amount: 10 });
  const { points_balance: points } = await balances();
  await post('/transaction/exchange', { from_type: 'points', to_type: 'token', amount: points });
  const { points_balance, token_balance: amount } = await balances();
  expect(points_balance).toBe(0);
  const path = '/transaction/withdraw';
  const order = { amount, to_address: wallet.address };
  const refused = await call(origin, path, { token, body: { ...order, amount: amount + 1 } });
  expect(refused.status).toBe(400);
  const before = await heldBy(rpcUrl, place.mint, wallet.address);
  const requested = await post<{ withdrawal_id: string; net_amount: number }>(path, order);
  await o.disturb?.();
  await vi.waitFor(async () => {
    type Page = { items: { type: string; status: string }[] };
    const { items } = await must<Page>(origin, '/user/transactions', { token });
    expect(items.find(({ type }) => type === 'withdraw')?.status).toBe('completed');
  }, WAIT);
  expect((await balances()).token_balance).toBe(0);
  const receivedMinor = (await heldBy(rpcUrl, place.mint, wallet.address)) - before;
  expect(receivedMinor).toBe(BigInt(Math.round(requested.net_amount * Number(BSM))));
  return { depositedMinor, receivedMinor };
}

/** BSM of a wallet's associated token account, finalized. */
export async function heldBy(rpcUrl: string, mint: string, wallet: string): Promise<bigint> {
  const connection = new Connection(rpcUrl, 'finalized');
  const token = new PublicKey(mint);
  const program = (await connection.getAccountInfo(token))?.owner ?? TOKEN_PROGRAM_ID;
  const account = getAssociatedTokenAddressSync(token, new PublicKey(wallet), true, program);
  const info = await connection.getAccountInfo(account);
  return info === null ? 0n : unpackAccount(account, info, program).amount;
}
