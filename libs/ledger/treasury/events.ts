import {
  type DescriptorsOf,
  type EventOf,
  movesNothing,
  name,
  term,
  token,
} from '../descriptor.ts';
import { move } from '../money.ts';
import { CASHIER } from '../player/payment-events.ts';
import type { Agreed } from '../proposals.ts';
import type { Anchor } from './anchor.ts';

/** Observations and anchors of the treasury's wallet on the chain, and its unmatched deposits. */
export interface TreasuryData {
  /**
   * The treasury's balance at `finalized`. It moves no money; the house's own part of the balance covers promises in token.
   * `source` is the observer: `local-chain`, or the chain.
   */
  readonly TreasuryObserved: {
    readonly tokenMinor: bigint;
    /** 0 before the first observation. */
    readonly previousTokenMinor: bigint;
    readonly source: string;
    /**
     * The part that passes through: all deposits, credited or not, less all withdrawals that landed, on the chain at the
     * same slot. The rest, dust included, is the house's own. Missing means 0.
     */
    readonly netDepositsMinor?: bigint;
    readonly previousNetDepositsMinor?: bigint;
    readonly slot?: number;
  };
  /** A transfer to the treasury that cannot be attributed to a player. It is owed until it is resolved. */
  readonly UnmatchedDepositSeen: {
    readonly signature: string;
    readonly tokenAccount: string;
    readonly slot: number;
    readonly amountMinor: bigint;
    /** The sender; null when there are none or several. */
    readonly sender: string | null;
    readonly reason: string;
  };
  /** The owner is found. A player's deposit is credited next, in the stream of that player; the house's moves with this event. */
  readonly UnmatchedDepositResolved: UnmatchedResolution & {
    /** Missing for the cashier, and for one operator alone. */
    readonly proposal?: Agreed;
  };
  /**
   * Small transfers that no player can be credited for. They are the house's own from their arrival, like the balance before
   * the first observation, so this moves no money: it names the transactions, which each have exactly one event.
   */
  readonly DustReceived: {
    /** Of the recording, `YYYY-MM-DD` in UTC. */
    readonly day: string;
    readonly tokenAccount: string;
    /** Sum of the transfers. */
    readonly amountMinor: bigint;
    readonly transfers: readonly DustTransfer[];
  };
  /**
   * Seals on the chain, where they cannot be rewritten: a memo signed by the treasury's wallet is final there, with the text
   * `anchorMemo` of this. Anchors have no gaps. It moves no money.
   */
  readonly SealAnchored: Anchor & {
    /** The treasury's wallet. */
    readonly wallet: string;
    /** Of the transaction with the memo, in base58. */
    readonly signature: string;
    readonly slot: number;
  };
}

export type TreasuryEvent = EventOf<TreasuryData>;
export type TreasuryObserved = EventOf<TreasuryData, 'TreasuryObserved'>;
export type UnmatchedDepositResolved = EventOf<TreasuryData, 'UnmatchedDepositResolved'>;
export type DustReceived = EventOf<TreasuryData, 'DustReceived'>;
export type SealAnchored = EventOf<TreasuryData, 'SealAnchored'>;

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

export interface DustTransfer {
  readonly signature: string;
  readonly slot: number;
  readonly amountMinor: bigint;
}

export const TREASURY_EVENTS: DescriptorsOf<TreasuryEvent> = {
  TreasuryObserved: movesNothing(1, null, [
    'treasury holds {amount}',
    ({ tokenMinor }) => ({ amount: token(tokenMinor) }),
  ]),
  SealAnchored: movesNothing(2, null, [
    'seals {from} to {to} anchored on the blockchain',
    ({ fromSeal, seal }) => ({ from: fromSeal, to: seal }),
  ]),
  UnmatchedDepositSeen: {
    number: 3,
    operator: null,
    postings: ({ amountMinor }) => move('token', 'chain', 'unmatched', amountMinor),
    sentence: [
      'unmatched deposit of {amount}: {why}',
      ({ amountMinor, reason }) => ({ amount: token(amountMinor), why: term(reason) }),
    ],
  },
  DustReceived: movesNothing(4, null, [
    '{count} small transfers of strangers, {amount}, are kept by the house',
    ({ transfers, amountMinor }) => ({ count: transfers.length, amount: token(amountMinor) }),
  ]),
  UnmatchedDepositResolved: {
    number: 5,
    operator: {
      role: 'operator',
      act: {
        reason: ({ reason }) => reason,
        isOperators: ({ proposal }, actor) => actor !== CASHIER && !proposal,
      },
    },
    // A player's deposit leaves the queue with its credit, in the stream of that player.
    postings: ({ to, amountMinor }) =>
      to === 'house' ? move('token', 'unmatched', 'house', amountMinor) : [],
    sentence: [
      '{amount} credited to {to}: {reason}',
      ({ amountMinor, to, reason }) => ({ amount: token(amountMinor), to: name(to), reason }),
    ],
  },
};
