import { ACTION_WITH_REASON, type DescriptorsOf, name, term, token } from '../descriptor.ts';
import { move } from '../money.ts';
import { CASHIER } from '../player/payment-events.ts';
import type { Anchor } from './anchor.ts';

/** What the project's own wallet on the chain holds and says, and what came to it that nobody can be given yet. */
export type TreasuryEvent =
  | TreasuryObserved
  | UnmatchedDepositSeen
  | UnmatchedDepositProposed
  | UnmatchedDepositResolved
  | SealAnchored;

/**
 * What the project's wallet was seen to hold at finalized. It moves nothing: it sets the cover of what is promised in
 * token, by the house's own part of it. `source` says who looked: `local-chain`, or the chain.
 */
export interface TreasuryObserved {
  readonly type: 'TreasuryObserved';
  readonly data: {
    readonly tokenMinor: bigint;
    /** 0 before the first observation. */
    readonly previousTokenMinor: bigint;
    readonly source: string;
    /**
     * How much of it passes through: everything that ever arrived, credited or not, less every withdrawal that ever
     * landed, as the chain has it at the same slot. The rest is the house's own. None is 0.
     */
    readonly netDepositsMinor?: bigint;
    readonly previousNetDepositsMinor?: bigint;
    readonly slot?: number;
  };
}

/** A transfer to the treasury that is no player's for certain. It is owed to whoever it turns out to belong to. */
export interface UnmatchedDepositSeen {
  readonly type: 'UnmatchedDepositSeen';
  readonly data: {
    readonly signature: string;
    readonly tokenAccount: string;
    readonly slot: number;
    readonly amountMinor: bigint;
    /** The one owner that it came from; null when there were none or several. */
    readonly sender: string | null;
    readonly reason: string;
  };
}

/** More than one operator may give away alone: it waits for another who says the same. Nothing has moved yet. */
export interface UnmatchedDepositProposed {
  readonly type: 'UnmatchedDepositProposed';
  readonly data: UnmatchedResolution;
}

export interface UnmatchedResolution {
  readonly signature: string;
  readonly tokenAccount: string;
  readonly amountMinor: bigint;
  /** `house`, or `player:<wallet>`. */
  readonly to: string;
  /** `operator:<wallet>`, or `system:cashier` where the sender has become a player. */
  readonly by: string;
  readonly reason: string;
}

/** Whose it is. A player's is credited next, in the stream of that player; the house's is the house's at once. */
export interface UnmatchedDepositResolved {
  readonly type: 'UnmatchedDepositResolved';
  readonly data: UnmatchedResolution & {
    /** The operator who said so first; null for one alone. */
    readonly proposedBy: string | null;
  };
}

/**
 * Seals stand on the chain as well, where nobody can write them anew: a memo that the treasury's wallet signed is final
 * there and says `anchorMemo` of this. Anchors follow each other without a gap. It moves nothing.
 */
export interface SealAnchored {
  readonly type: 'SealAnchored';
  readonly data: Anchor & {
    /** The treasury's wallet. */
    readonly wallet: string;
    /** Of the transaction with the memo, in base58. */
    readonly signature: string;
    readonly slot: number;
  };
}

export const TREASURY_EVENTS: DescriptorsOf<TreasuryEvent> = {
  TreasuryObserved: {
    number: 1,
    operator: null,
    postings: null,
    sentence: ['treasury holds {amount}', ({ tokenMinor }) => ({ amount: token(tokenMinor) })],
  },
  SealAnchored: {
    number: 2,
    operator: null,
    postings: null,
    sentence: [
      'seals {from} to {to} anchored on the blockchain',
      ({ fromSeal, seal }) => ({ from: fromSeal, to: seal }),
    ],
  },
  UnmatchedDepositSeen: {
    number: 3,
    operator: null,
    postings: ({ amountMinor }) => move('token', 'chain', 'unmatched', amountMinor),
    sentence: [
      'unmatched deposit of {amount}: {why}',
      ({ amountMinor, reason }) => ({ amount: token(amountMinor), why: term(reason) }),
    ],
  },
  UnmatchedDepositProposed: {
    number: 4,
    operator: ACTION_WITH_REASON,
    postings: null,
    sentence: [
      'proposed credit of {amount} to {to}: {reason}',
      ({ amountMinor, to, reason }) => ({ amount: token(amountMinor), to: name(to), reason }),
    ],
  },
  UnmatchedDepositResolved: {
    number: 5,
    operator: {
      role: 'operator',
      act: { reason: ({ reason }) => reason, isOperators: (_, actor) => actor !== CASHIER },
    },
    // A player's leaves the queue with its credit, in the stream of that player.
    postings: ({ to, amountMinor }) =>
      to === 'house' ? move('token', 'unmatched', 'house', amountMinor) : [],
    sentence: [
      '{amount} credited to {to}: {reason}',
      ({ amountMinor, to, reason }) => ({ amount: token(amountMinor), to: name(to), reason }),
    ],
  },
};
