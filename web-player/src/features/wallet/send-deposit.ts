/** Sends a deposit over the chain. Loaded only when a player deposits. */
import './buffer.ts';
import { toNumber } from '@reelbook/ledger/money';
import { awaitDeposit, buildDeposit, sendDeposit } from '@reelbook/solana/deposit';
import type { BrowserWallet } from '@reelbook/web/wallets/browser-wallet';
import bs58 from 'bs58';
import { abortable } from '../../lib/abortable.ts';
import type { PendingDeposit } from './pending-deposit.ts';

export type DepositStep = 'checking' | 'signing' | 'sending' | 'confirming' | 'reporting';

const SIGNATURE_BYTES = 64;

export interface DepositOrder {
  readonly wallet: BrowserWallet;
  readonly rpcUrl: string;
  readonly mint: string | null;
  readonly decimals: number | null;
  readonly projectWallet: string | null;
  readonly from: string;
  readonly amountMinor: bigint;
  /** Cancels the deposit until it is signed; has no effect later. */
  readonly signal: AbortSignal;
}

/**
 * Checks, builds, requests the signature, sends, and waits for the level "confirmed".
 * @param onSigned called before the transaction is sent: from then on the deposit may be on the chain, even after an
 * error.
 */
export async function depositOverChain(
  order: DepositOrder,
  on: { step(step: DepositStep): void; signed(pending: Omit<PendingDeposit, 'wallet'>): void },
): Promise<void> {
  const { wallet, rpcUrl, signal, ...rest } = order;
  on.step('checking');
  const unsigned = await buildDeposit({ rpcUrl, ...rest });
  on.step('signing');
  const sign = wallet.signTransaction;
  if (!sign) throw new Error('this wallet cannot sign a transaction');
  const bytes = await abortable(() => sign(unsigned.bytes), signal);
  // A count precedes the one signature.
  const signature = bs58.encode(bytes.slice(1, 1 + SIGNATURE_BYTES));
  on.signed({ hash: signature, amount: toNumber('token', order.amountMinor) });
  on.step('sending');
  await sendDeposit({ rpcUrl, bytes });
  on.step('confirming');
  await awaitDeposit({ rpcUrl, signature, lastValidBlockHeight: unsigned.lastValidBlockHeight });
}
