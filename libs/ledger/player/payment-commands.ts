import type { TokenConfig, WithdrawConfig } from '../config/config.ts';
import type { Approvers } from '../operators/state.ts';
import type { Confirmation } from './confirmation.ts';

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
export interface CreditDeposit {
  readonly type: 'CreditDeposit';
  readonly signature: string;
  readonly tokenAccount: string;
  readonly slot: number;
  readonly amountMinor: bigint;
  readonly from: 'chain' | 'unmatched';
  /** As in `DepositCredited`. */
  readonly providers?: 1;
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

export interface DenyWithdrawal {
  readonly type: 'DenyWithdrawal';
  readonly withdrawal: string;
  readonly by: string;
  readonly reason: string;
}

export interface SignWithdrawal {
  readonly type: 'SignWithdrawal';
  readonly withdrawal: string;
  readonly attempt: number;
  readonly signature: string;
  readonly transaction: string;
  readonly lastValidBlockHeight: number;
  readonly slot: number;
  readonly terms: WithdrawConfig;
  /** The mint and the treasury that the bytes must have. */
  readonly token: TokenConfig;
}

export interface FailWithdrawalAttempt {
  readonly type: 'FailWithdrawalAttempt';
  readonly withdrawal: string;
  readonly signature: string;
  readonly outcome: 'failed' | 'expired';
  readonly evidence: string;
  readonly blockHeight: number;
  /** The operator who states it; see the event. */
  readonly by?: string;
}

export interface FinalizeWithdrawal {
  readonly type: 'FinalizeWithdrawal';
  readonly withdrawal: string;
  readonly signature: string;
  readonly slot: number;
}
