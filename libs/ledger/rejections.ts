import type { ConfigFault } from './config/fault-codes.ts';

/** Expected refusals. They are values, not exceptions; `contract` maps each to a message and an HTTP status. */
export type RejectionCode =
  | 'not-registered'
  | 'login-unchecked'
  | 'sign-in-policy-locked'
  | 'insufficient-points'
  | 'bet-not-integer'
  | 'bet-below-minimum'
  | 'bet-above-maximum'
  | 'lines-out-of-range'
  | 'game-switched-off'
  | 'round-open'
  | 'rotate-round-open'
  | 'round-not-open'
  | 'round-too-soon'
  | 'round-differs'
  | 'round-voided'
  | 'void-by-proposer'
  | 'reason-invalid'
  | 'nickname-empty'
  | 'nickname-too-long'
  | 'nickname-not-plain'
  | 'nickname-reserved'
  | 'client-seed-invalid'
  | 'config-invalid'
  | 'exchange-switched-off'
  | 'exchange-same-asset'
  | 'exchange-amount-invalid'
  | 'exchange-insufficient-points'
  | 'exchange-insufficient-token'
  | 'exchange-too-small'
  | 'exchange-too-large'
  | 'no-such-notification'
  | 'self-excluded'
  | 'exclusion-not-shortened'
  | 'reality-check-due'
  | 'reality-check-interval-invalid'
  | 'loss-limit-reached'
  | 'wager-limit-reached'
  | 'deposit-limit-reached'
  | 'limit-amount-invalid'
  | 'no-pending-limit-change'
  | 'deposit-amount-invalid'
  | 'deposit-below-minimum'
  | 'deposit-above-maximum'
  | 'deposit-hash-invalid'
  | 'deposit-not-ours'
  | 'deposits-too-many'
  | 'withdrawal-amount-invalid'
  | 'withdrawal-insufficient-token'
  | 'withdrawal-too-small'
  | 'withdrawal-below-minimum'
  | 'withdrawal-below-account-minimum'
  | 'withdrawal-address-invalid'
  | 'withdrawal-address-ours'
  | 'withdrawal-confirmation-invalid'
  | 'withdrawal-confirmation-too-old'
  | 'withdrawal-confirmation-in-future'
  | 'withdrawal-confirmation-used'
  | 'withdrawals-too-many'
  | 'withdrawals-paused'
  | 'no-such-withdrawal'
  | 'withdrawal-reason-missing'
  | 'withdrawal-needs-operators'
  | 'withdrawal-not-waiting'
  | 'withdrawal-approved-already'
  | 'withdrawal-on-its-way'
  | 'withdrawal-not-approved'
  | 'withdrawal-not-signed'
  | 'withdrawal-not-expired'
  | 'no-such-unmatched-deposit'
  | 'unmatched-needs-operators'
  | 'unmatched-too-large'
  | 'unmatched-proposed-already'
  | 'unmatched-proposals-too-many'
  | 'player-suspended'
  | 'suspended-already'
  | 'not-suspended'
  | 'no-such-player'
  | 'nothing-to-change'
  | 'limit-not-tighter'
  | 'adjustment-amount-invalid'
  | 'adjustment-beyond-balance'
  | 'adjustment-by-proposer'
  | 'adjustment-proposer-revoked'
  | 'adjustments-too-many'
  | 'no-such-adjustment'
  | 'config-moved'
  | 'preview-outdated'
  | 'operator-wallet-invalid'
  | 'operator-unknown'
  | 'operator-own-wallet'
  | 'operator-known'
  | 'no-such-operator'
  | 'operators-too-many'
  | 'operator-last-admin'
  | 'operator-allowance-used'
  | 'no-such-proposal'
  | 'proposal-needs-admin'
  | 'proposal-own'
  | 'proposal-expired'
  | 'proposal-waits'
  | 'proposal-outdated'
  | 'proposals-too-many'
  | 'decided-otherwise'
  | 'no-chain'
  | 'over-cover';

export interface Rejection {
  readonly rejected: RejectionCode;
  /** Figures for the message; amounts in minor units under keys that end in `Minor`. */
  readonly detail: Readonly<Record<string, string | number | bigint>>;
  /** Of `config-invalid`. */
  readonly faults?: readonly ConfigFault[];
}

export function reject(rejected: RejectionCode, detail: Rejection['detail'] = {}): Rejection {
  return { rejected, detail };
}

export function rejectConfig(...faults: readonly ConfigFault[]): Rejection {
  return { ...reject('config-invalid'), faults };
}

export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'rejected' in value;
}
