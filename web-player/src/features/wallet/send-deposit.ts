/** Sends a deposit over the chain. Loaded only when a player deposits. */
import './buffer.ts';
import { toNumber } from '@reelbook/ledger/money';
import { awaitDeposit, buildDeposit, readSigned, sendDeposit } from '@reelbook/solana/deposit';
import type { BrowserWallet } from '@reelbook/web/wallets/browser-wallet';
import { abortable } from '../../lib/abortable.ts';
import { type Deposit, NotSent } from './deposit-fault.ts';

export type DepositStep = 'checking' | 'signing' | 'sending' | 'confirming' | 'reporting';

export type DepositOrder = Parameters<typeof buildDeposit>[0] & {
  readonly wallet: BrowserWallet;
  /** Cancels the deposit until it is signed; has no effect later. */
  readonly signal: AbortSignal;
};

/** A deposit that is not sent yet. */
export interface SignedDeposit {
  readonly deposit: Deposit;
  /** Sends it, and waits for the level "confirmed". After any error but NotSent it may be on the chain. */
  send(): Promise<void>;
}

/**
 * Checks, builds and requests the signature. A wallet that can only sign and send at once is refused: the hash would be
 * known only afterwards, so nothing could be stored before.
 */
export async function signDeposit(
  order: DepositOrder,
  onStep: (step: DepositStep) => void,
): Promise<SignedDeposit> {
  const { wallet, rpcUrl, signal, ...rest } = order;
  const sign = wallet.signTransaction;
  if (!sign) throw new Error('this wallet cannot sign a transaction');
  const unsigned = await buildDeposit({ rpcUrl, ...rest });
  onStep('signing');
  const bytes = await abortable(() => sign(unsigned.bytes), signal);
  const { signature, blockhash } = readSigned(bytes);
  const { lastValidBlockHeight } = unsigned;
  const amount = toNumber('token', order.amountMinor);
  return {
    deposit: { hash: signature, blockhash, lastValidBlockHeight, amount },
    async send() {
      onStep('sending');
      try {
        await sendDeposit({ rpcUrl, bytes });
      } catch (error) {
        throw isRefused(error) ? new NotSent(error) : error;
      }
      onStep('confirming');
      await awaitDeposit({ rpcUrl, signature, lastValidBlockHeight });
    },
  };
}

/** Whether the node refused it in its check before forwarding; after any other error it may have been forwarded, by another node too. */
const isRefused = (error: unknown) =>
  /simulation failed|signature verif/i.test(String(error)) &&
  !/already been processed/i.test(String(error));
