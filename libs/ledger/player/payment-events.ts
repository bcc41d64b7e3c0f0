import type { TokenConfig, WithdrawConfig } from '../config/config.ts';
import {
  type EventOf,
  name,
  ofPlayer,
  type PlayerDescriptorsOf,
  term,
  token,
} from '../descriptor.ts';
import { move, type Rate } from '../money.ts';
import type { Approvers } from '../operators/state.ts';
import type { Balances } from './balances.ts';
import type { Budgeted } from './budget.ts';
import type { Confirmation } from './confirmation.ts';
import type { Notice } from './notices.ts';

/** The actor of the cashier's own actions. */
export const CASHIER = 'system:cashier';

/** Deposits and withdrawals of a player over the chain. All amounts are in token. */
export interface PaymentData {
  /**
   * A transfer to the treasury, final on the chain, is credited to the player. `from` is the chain, or the queue of unmatched
   * deposits if a person or a later registration found the owner.
   */
  readonly DepositCredited: {
    /** Of the transaction, in base58. */
    readonly signature: string;
    /** The treasury's token account that received it. */
    readonly tokenAccount: string;
    readonly slot: number;
    readonly amountMinor: bigint;
    readonly from: 'chain' | 'unmatched';
    /** Only one of several RPC providers reported it: the cashier bounds the sums of such credits. */
    readonly providers?: 1;
    /** The time of the credit; only of a player whose time is recorded. See protection-state.ts. */
    readonly atMs?: number;
    readonly after: Balances;
    /** Missing for dust, see `isDust`. */
    readonly notice?: Notice;
  };
  /** The gross amount leaves the player: the net amount is held until it is final on the chain, the fee goes to the house. */
  readonly WithdrawalRequested: Budgeted & {
    /** `<publicId>-w<n>`, n from 1 without gaps. */
    readonly withdrawal: string;
    /** The receiving wallet. */
    readonly to: string;
    readonly amountMinor: bigint;
    readonly feeMinor: bigint;
    readonly netMinor: bigint;
    readonly feeRate: Rate;
    /** Missing: the player's wallet has not signed amount and address. */
    readonly confirmation?: Confirmation;
    readonly after: Balances;
    readonly notice: Notice;
  };
  /** One approval: the cashier's own below the threshold, else those of two different operators. */
  readonly WithdrawalApproved: {
    readonly withdrawal: string;
    /** `system:cashier` or `operator:<wallet>`: the actor. */
    readonly by: string;
    readonly reason: string;
    /** The approvals with this one, of operators who may still act, and the number that is needed. */
    readonly approvals: number;
    readonly needed: number;
    /** Of the withdrawal, as the operator saw it. Missing: of the cashier, or of an earlier build. */
    readonly to?: string;
    readonly netMinor?: bigint;
    /** Only of the last one. */
    readonly notice?: Notice;
  };
  /** Refused by a person, or by the cashier for an invalid address. A release follows in the same command. */
  readonly WithdrawalDenied: {
    readonly withdrawal: string;
    readonly by: string;
    readonly reason: string;
  };
  /** Signed and not sent yet: from now on the money may leave, and only these bytes are ever sent. */
  readonly WithdrawalSigned: {
    readonly withdrawal: string;
    /** From 1. */
    readonly attempt: number;
    readonly signature: string;
    /** The signed transaction in base64. */
    readonly transaction: string;
    /** Above this block height the chain rejects it. */
    readonly lastValidBlockHeight: number;
    /** The slot of its signing: only a node whose history reaches back so far can show that it never landed. */
    readonly slot: number;
    readonly notice: Notice;
  };
  /** An attempt that moved nothing and never will: it landed and failed, or it expired and is not on the chain. */
  readonly WithdrawalAttemptFailed: {
    readonly withdrawal: string;
    readonly attempt: number;
    readonly signature: string;
    readonly outcome: 'failed' | 'expired';
    /** The error on the chain, or the evidence that it has not landed. */
    readonly evidence: string;
    /** Block height at `finalized` when it was checked; above the last valid one for `expired`. */
    readonly blockHeight: number;
    /** `operator:<wallet>` if a person stated it. Missing: the cashier saw it on the chain. */
    readonly by?: string;
  };
  readonly WithdrawalFinalized: {
    readonly withdrawal: string;
    readonly attempt: number;
    readonly signature: string;
    readonly slot: number;
    readonly netMinor: bigint;
    readonly feeMinor: bigint;
    readonly notice: Notice;
  };
  /** Returns the complete amount to the player, including the fee. */
  readonly WithdrawalReleased: {
    readonly withdrawal: string;
    readonly netMinor: bigint;
    readonly feeMinor: bigint;
    readonly reason: string;
    readonly after: Balances;
    readonly notice: Notice;
  };
}

export type PaymentEvent = EventOf<PaymentData>;
export type DepositCredited = EventOf<PaymentData, 'DepositCredited'>;
export type WithdrawalRequested = EventOf<PaymentData, 'WithdrawalRequested'>;
export type WithdrawalApproved = EventOf<PaymentData, 'WithdrawalApproved'>;
export type WithdrawalSigned = EventOf<PaymentData, 'WithdrawalSigned'>;

/** The cashier's own actions are within its limits, which the audit's payments pass checks. */
const isNotCashiers = (_: object, actor: string) => actor !== CASHIER;

const DECIDED = {
  role: 'operator',
  act: {
    reason: ({ reason }: { readonly reason: string }) => reason,
    isOperators: isNotCashiers,
  },
} as const;

/** An event that follows from an operator's decision, in the same command or in the stream of a player. */
const FOLLOWS = { role: 'operator', act: null } as const;

export const PAYMENT_EVENTS: PlayerDescriptorsOf<PaymentEvent> = {
  DepositCredited: {
    number: 27,
    visibleToPlayer: true,
    operator: FOLLOWS,
    postings: ({ from, amountMinor }, owner) => move('token', from, `player:${owner}`, amountMinor),
    sentence: ['deposit of {amount}', ({ amountMinor }) => ({ amount: token(amountMinor) })],
  },
  WithdrawalRequested: ofPlayer(
    28,
    [
      'requested {amount}, {net} after the fee, to {to}',
      ({ amountMinor, netMinor, to }) => ({
        amount: token(amountMinor),
        net: token(netMinor),
        to: name(to),
      }),
    ],
    ({ netMinor, feeMinor }, owner) => [
      ...move('token', `player:${owner}`, 'withdrawals', netMinor),
      ...move('token', `player:${owner}`, 'fees', feeMinor),
    ],
  ),
  WithdrawalReleased: {
    number: 29,
    visibleToPlayer: true,
    operator: FOLLOWS,
    postings: ({ netMinor, feeMinor }, owner) => [
      ...move('token', 'withdrawals', `player:${owner}`, netMinor),
      ...move('token', 'fees', `player:${owner}`, feeMinor),
    ],
    sentence: ['returned: {reason}', ({ reason }) => ({ reason })],
  },
  WithdrawalApproved: {
    number: 30,
    visibleToPlayer: true,
    operator: DECIDED,
    postings: null,
    sentence: [
      'approval {approvals} of {needed} by {by} of {net} to {to}: {reason}',
      ({ approvals, needed, by, netMinor, to, reason }) => ({
        approvals,
        needed,
        by: name(by),
        reason,
        net: netMinor === undefined ? term('the-amount') : token(netMinor),
        to: to === undefined ? term('the-address') : name(to),
      }),
    ],
  },
  WithdrawalDenied: {
    number: 31,
    visibleToPlayer: true,
    operator: DECIDED,
    postings: null,
    sentence: ['denied by {by}: {reason}', ({ by, reason }) => ({ by: name(by), reason })],
  },
  WithdrawalSigned: ofPlayer(32, ['signed, attempt {attempt}', ({ attempt }) => ({ attempt })]),
  WithdrawalAttemptFailed: {
    number: 33,
    visibleToPlayer: true,
    operator: {
      role: 'operator',
      // The evidence is the operator's name, followed by the reason.
      act: {
        reason: ({ evidence }, actor) => evidence.slice(`${actor}: `.length),
        isOperators: isNotCashiers,
      },
    },
    postings: null,
    sentence: [
      'attempt {attempt} {outcome}',
      ({ attempt, outcome }) => ({ attempt, outcome: term(outcome) }),
    ],
  },
  WithdrawalFinalized: ofPlayer(
    25,
    ['paid {net}', ({ netMinor }) => ({ net: token(netMinor) })],
    ({ netMinor }) => move('token', 'withdrawals', 'chain', netMinor),
  ),
};

export const isPaymentEvent = (event: { readonly type: string }): event is PaymentEvent =>
  Object.hasOwn(PAYMENT_EVENTS, event.type);

/** Commands of the cashier, an operator or the player for deposits and withdrawals. */
export type PaymentCommand =
  | CreditDeposit
  | RequestWithdrawal
  | ApproveWithdrawal
  | DenyWithdrawal
  | SignWithdrawal
  | FailWithdrawalAttempt
  | FinalizeWithdrawal;

/** The caller has verified the transfer: final, to our account, of our mint, from this player. Its idempotency key makes it unique. */
export interface CreditDeposit
  extends Omit<PaymentData['DepositCredited'], 'atMs' | 'after' | 'notice'> {
  readonly type: 'CreditDeposit';
  /** Credited without a notification. */
  readonly isDust?: boolean;
  readonly nowMs: number;
}

export interface RequestWithdrawal {
  readonly type: 'RequestWithdrawal';
  readonly amountMinor: bigint;
  readonly to: string;
  /**
   * The kind of the address: a wallet, our own wallet, no wallet (a mint, a token account, a program, off the curve), or a
   * wallet whose token account belongs to another one.
   */
  readonly address: 'wallet' | 'ours' | 'no-wallet' | 'foreign';
  /** Whether a token account must be created for it, which costs SOL. */
  readonly makesAccount: boolean;
  /** The caller has verified its signature, origin and time. */
  readonly confirmation?: Confirmation;
  readonly terms: WithdrawConfig;
}

/** `by` is the actor: `system:cashier` within the automatic limit, or `operator:<wallet>`. */
export interface ApproveWithdrawal extends Approvers {
  readonly type: 'ApproveWithdrawal';
  readonly withdrawal: string;
  readonly by: string;
  readonly reason: string;
  readonly terms: WithdrawConfig;
}

export type DenyWithdrawal = { readonly type: 'DenyWithdrawal' } & PaymentData['WithdrawalDenied'];

export interface SignWithdrawal extends Omit<PaymentData['WithdrawalSigned'], 'notice'> {
  readonly type: 'SignWithdrawal';
  readonly terms: WithdrawConfig;
  /** The mint and the treasury that the bytes must have. */
  readonly token: TokenConfig;
}

export interface FailWithdrawalAttempt
  extends Omit<PaymentData['WithdrawalAttemptFailed'], 'attempt'> {
  readonly type: 'FailWithdrawalAttempt';
}

export interface FinalizeWithdrawal
  extends Pick<PaymentData['WithdrawalFinalized'], 'withdrawal' | 'signature' | 'slot'> {
  readonly type: 'FinalizeWithdrawal';
}
