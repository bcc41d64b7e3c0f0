import type { ChainTransaction, TokenBalance } from './transaction.ts';

/**
 * What a finalized transaction brought to the treasury. PURE. Every rule here has cost somebody money:
 * the credit is what OUR token account holds more than before (never the instruction's amount: a Token-2022 fee, an
 * inner instruction, a second transfer back all show in it), for OUR mint under OUR token program, of a transaction that
 * succeeded, and it is a player's only when one owner alone paid it and signed.
 */
export interface Treasury {
  readonly wallet: string;
  /** The associated token account of `wallet`: the only one that deposits go to. */
  readonly tokenAccount: string;
  readonly mint: string;
  /** Token or Token-2022. */
  readonly program: string;
}

/** Money that arrived, but is nobody's by itself: a person decides. */
export type UnmatchedReason =
  | 'several-sources'
  /** Minted to us, or the sources do not cover it. */
  | 'no-source'
  /** Moved by a delegate: its owner signed nothing. */
  | 'owner-did-not-sign'
  /** It arrived, but not from the wallet that the caller expects. */
  | 'wrong-sender'
  /** The caller expects a memo, and it is not there. */
  | 'wrong-memo';

/** Nothing arrived, so there is nothing to credit to anybody. */
export type NothingReason =
  | 'failed'
  /** A transfer, but of another token. */
  | 'wrong-mint'
  /** A transfer of our token, but to another account. */
  | 'wrong-wallet'
  /** Our mint's address under another token program: no real node reports that. */
  | 'wrong-program'
  /** Our own payment, or our balance is less than or the same as before. */
  | 'outgoing'
  /** Our own token account changed hands: alarm. */
  | 'treasury-account-changed'
  | 'no-transfer';

export interface Credit {
  readonly kind: 'credit';
  readonly signature: string;
  readonly slot: number;
  readonly tokenAccount: string;
  readonly sender: string;
  readonly amountMinor: bigint;
  readonly memos: readonly string[];
}

export interface Unmatched {
  readonly kind: 'unmatched';
  readonly reason: UnmatchedReason;
  readonly signature: string;
  readonly slot: number;
  readonly tokenAccount: string;
  /** Owners of the accounts that paid; empty where there were none. */
  readonly senders: readonly string[];
  readonly amountMinor: bigint;
  readonly memos: readonly string[];
}

export interface Nothing {
  readonly kind: 'nothing';
  readonly reason: NothingReason;
  readonly signature: string;
  /** Of a failed transaction: the chain's own words. */
  readonly error: string | null;
}

export type Verdict = Credit | Unmatched | Nothing;

export interface Expected {
  /** The only wallet whose money it may be; without it any single sender is taken. */
  readonly sender?: string;
  /** A text that must be one of the memos. */
  readonly memo?: string;
}

/** Reads what a transaction brought. Never throws; the same transaction always gives the same verdict. */
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

/** What one token account lost or gained over the whole transaction. */
interface Move {
  readonly account: string;
  readonly mint: string;
  readonly program: string;
  /** Whose money left: the owner before, for the account may have changed hands after. */
  readonly payer: string;
  readonly owners: readonly string[];
  readonly deltaMinor: bigint;
}

function movesOf({ before, after }: ChainTransaction): Move[] {
  // By account and mint: an account closed and opened again in one transaction may be of another token after.
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
