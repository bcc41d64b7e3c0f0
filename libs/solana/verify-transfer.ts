import type { ChainTransaction, TokenBalance } from './transaction.ts';

/**
 * Classifies a finalized transaction for the treasury. Pure. The credit is the increase of the treasury's token account,
 * never the amount of an instruction: it includes Token-2022 fees, inner instructions and transfers back. It counts only
 * for the configured mint and token program in a successful transaction, and belongs to a player only if a single owner
 * paid and signed it.
 */
export interface Treasury {
  readonly wallet: string;
  /** The associated token account of `wallet`: the only one that receives deposits. */
  readonly tokenAccount: string;
  readonly mint: string;
  /** Token or Token-2022. */
  readonly program: string;
}

/** An arrival without a certain owner: an operator decides. */
type UnmatchedReason =
  | 'several-sources'
  /** Minted to the treasury, or the sources do not cover it. */
  | 'no-source'
  /** Moved by a delegate: its owner signed nothing. */
  | 'owner-did-not-sign'
  /** Not from the wallet that the caller expects. */
  | 'wrong-sender'
  /** Without the memo that the caller expects. */
  | 'wrong-memo';

/** No arrival, so no credit. */
type NothingReason =
  | 'failed'
  /** A transfer of another token. */
  | 'wrong-mint'
  /** A transfer to another account. */
  | 'wrong-wallet'
  /** The mint's address under another token program: no real node reports that. */
  | 'wrong-program'
  /** A payment of the treasury, or no increase of its balance. */
  | 'outgoing'
  /** The treasury's token account changed its owner. */
  | 'treasury-account-changed'
  | 'no-transfer';

interface Credit {
  readonly kind: 'credit';
  readonly signature: string;
  readonly slot: number;
  readonly tokenAccount: string;
  readonly sender: string;
  readonly amountMinor: bigint;
  readonly memos: readonly string[];
}

interface Unmatched {
  readonly kind: 'unmatched';
  readonly reason: UnmatchedReason;
  readonly signature: string;
  readonly slot: number;
  readonly tokenAccount: string;
  /** Owners of the accounts that paid. */
  readonly senders: readonly string[];
  readonly amountMinor: bigint;
  readonly memos: readonly string[];
}

interface Nothing {
  readonly kind: 'nothing';
  readonly reason: NothingReason;
  readonly signature: string;
  /** The chain's error of a failed transaction. */
  readonly error: string | null;
}

type Verdict = Credit | Unmatched | Nothing;

interface Expected {
  /** The only accepted sender; without it any single sender is accepted. */
  readonly sender?: string;
  /** A text that must be one of the memos. */
  readonly memo?: string;
}

/** Classifies a transaction. Never throws; deterministic. */
export function verifyTransfer(
  transaction: ChainTransaction,
  treasury: Treasury,
  expected: Expected = {},
): Verdict {
  const { signature, slot, memos, error } = transaction;
  const nothing = (reason: NothingReason): Nothing => ({
    kind: 'nothing',
    reason,
    signature,
    error,
  });
  if (error !== null) return nothing('failed');
  const moves = movesOf(transaction);
  const own = moves.find(
    ({ account, mint }) => account === treasury.tokenAccount && mint === treasury.mint,
  );
  if (!own) return nothing(elsewhere(moves, treasury));
  if (own.program !== treasury.program) return nothing('wrong-program');
  if (own.owners.some((owner) => owner !== treasury.wallet)) {
    return nothing('treasury-account-changed');
  }
  if (own.deltaMinor <= 0n) return nothing('outgoing');
  const sources = moves.filter(
    (move) => move.mint === treasury.mint && move.deltaMinor < 0n && move !== own,
  );
  const senders = [...new Set(sources.map(({ payer }) => payer))];
  const paidMinor = sources.reduce((sum, { deltaMinor }) => sum - deltaMinor, 0n);
  const arrived = {
    signature,
    slot,
    tokenAccount: own.account,
    amountMinor: own.deltaMinor,
    memos,
  };
  const unmatched = (reason: UnmatchedReason): Unmatched => ({
    kind: 'unmatched',
    reason,
    senders,
    ...arrived,
  });
  const [sender] = senders;
  if (sender === undefined || paidMinor < own.deltaMinor) return unmatched('no-source');
  if (senders.length > 1) return unmatched('several-sources');
  if (!transaction.signers.includes(sender)) return unmatched('owner-did-not-sign');
  if (expected.sender !== undefined && sender !== expected.sender) return unmatched('wrong-sender');
  if (expected.memo !== undefined && !memos.includes(expected.memo)) return unmatched('wrong-memo');
  return { kind: 'credit', sender, ...arrived };
}

/** The balance change of one token account in the transaction. */
interface Move {
  readonly account: string;
  readonly mint: string;
  readonly program: string;
  /** The owner before the transaction, which may change the owner. */
  readonly payer: string;
  readonly owners: readonly string[];
  readonly deltaMinor: bigint;
}

function movesOf({ before, after }: ChainTransaction): Move[] {
  // By account and mint: an account closed and reopened in one transaction may have another mint.
  const keyOf = ({ account, mint }: TokenBalance) => `${account} ${mint}`;
  const left = new Map(before.map((one) => [keyOf(one), one]));
  const right = new Map(after.map((one) => [keyOf(one), one]));
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const [pre, post] = [left.get(key), right.get(key)];
    const known = pre ?? post;
    if (!known) return [];
    return {
      account: known.account,
      mint: known.mint,
      program: known.program,
      payer: known.owner,
      owners: [pre, post].flatMap((one) => (one ? [one.owner] : [])),
      deltaMinor: (post?.amountMinor ?? 0n) - (pre?.amountMinor ?? 0n),
    };
  });
}

function elsewhere(moves: readonly Move[], { mint, wallet }: Treasury): NothingReason {
  const gains = moves.filter(({ deltaMinor }) => deltaMinor > 0n);
  if (gains.some((move) => move.mint === mint)) return 'wrong-wallet';
  if (gains.some(({ owners }) => owners.includes(wallet))) return 'wrong-mint';
  return gains.length > 0 ? 'wrong-wallet' : 'no-transfer';
}

/** The effect of a transaction on a treasury, as minimal plain data. */
export interface TransferFact
  extends Pick<ChainTransaction, 'signature' | 'slot' | 'timeS' | 'error'> {
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
    signature,
    slot,
    timeS,
    error,
    signed,
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
