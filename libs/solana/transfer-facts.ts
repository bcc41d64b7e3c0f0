import type { ChainTransaction } from './transaction.ts';
import { type Treasury, verifyTransfer } from './verify-transfer.ts';

/** What one transaction was to one treasury: plain data, as small as it can be kept. */
export interface TransferFact {
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; null where the node does not know. */
  readonly timeS: number | null;
  /** Null when it succeeded; a failed one moved nothing. */
  readonly error: string | null;
  /** Whether the treasury's wallet signed it. */
  readonly signed: boolean;
  /** What the treasury's token account held before and after; equal where it was not moved. */
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
  /** Whose deposit it is, by the rules of `verifyTransfer`; null: nobody's alone, or none. */
  readonly sender: string | null;
  /** Who received token of this mint, the treasury left out. */
  readonly receivers: readonly string[];
  /** Of what the treasury signed; strangers' texts are nobody's evidence. */
  readonly memos: readonly string[];
}

/** Reads a transaction as one treasury sees it. PURE. */
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
    receivers: signed ? [...new Set(gained.map(({ owner }) => owner))] : [],
    memos: signed ? memos : [],
  };
}

/** Whether it says anything of the treasury: it signed it, or its tokens were moved. Strangers' noise does not. */
export function concernsTreasury({
  error,
  signed,
  beforeMinor,
  afterMinor,
}: TransferFact): boolean {
  return error === null && (signed || beforeMinor !== afterMinor);
}
