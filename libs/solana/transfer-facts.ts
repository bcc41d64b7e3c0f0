import type { ChainTransaction } from './transaction.ts';
import { type Treasury, verifyTransfer } from './verify-transfer.ts';

/** The effect of a transaction on a treasury, as minimal plain data. */
export interface TransferFact {
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; null if the node does not know it. */
  readonly timeS: number | null;
  /** Null on success; a failed transaction moved nothing. */
  readonly error: string | null;
  /** Whether the treasury's wallet signed it. */
  readonly signed: boolean;
  /** The balance of the treasury's token account before and after. */
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
  /** The depositor by `verifyTransfer`; null if unmatched or no deposit. */
  readonly sender: string | null;
  /** Token accounts of this mint that received, without the treasury's. */
  readonly receivers: readonly string[];
  /** Only of transactions that the treasury signed; other memos are no evidence. */
  readonly memos: readonly string[];
}

/** The effect of a transaction on a treasury. Pure. */
export function transferFact(transaction: ChainTransaction, treasury: Treasury): TransferFact {
  const { signature, slot, timeS, error, before, after, memos } = transaction;
  const signed = transaction.signers.includes(treasury.wallet);
  const held = (list: ChainTransaction['before'], account: string) =>
    list.find((one) => one.account === account && one.mint === treasury.mint)?.amountMinor ?? 0n;
  const verdict = verifyTransfer(transaction, treasury);
  const gained = after.filter(
    ({ account, mint, amountMinor }) =>
      account !== treasury.tokenAccount &&
      mint === treasury.mint &&
      amountMinor > held(before, account),
  );
  return {
    ...{ signature, slot, timeS, error, signed },
    beforeMinor: held(before, treasury.tokenAccount),
    afterMinor: held(after, treasury.tokenAccount),
    sender: verdict.kind === 'credit' ? verdict.sender : null,
    receivers: signed ? gained.map(({ account }) => account) : [],
    memos: signed ? memos : [],
  };
}

/** Whether the treasury signed the transaction or its tokens moved. */
export function concernsTreasury({
  error,
  signed,
  beforeMinor,
  afterMinor,
}: TransferFact): boolean {
  return error === null && (signed || beforeMinor !== afterMinor);
}
