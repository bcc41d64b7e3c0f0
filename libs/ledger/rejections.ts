/** Expected refusals. They are values, not exceptions; `contract` maps each to a message and an HTTP status, once. */
export type RejectionCode =
  | 'not-registered'
  | 'insufficient-points'
  | 'bet-not-whole'
  | 'bet-below-minimum'
  | 'bet-above-maximum'
  | 'lines-out-of-range'
  | 'game-switched-off'
  | 'nickname-empty'
  | 'nickname-too-long'
  | 'nickname-not-plain'
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
  | 'over-cover';

export interface Rejection {
  readonly rejected: RejectionCode;
  /** Figures for the message; amounts in minor units under keys that end in `Minor`. */
  readonly detail: Readonly<Record<string, string | number | bigint>>;
}

export function reject(rejected: RejectionCode, detail: Rejection['detail'] = {}): Rejection {
  return { rejected, detail };
}

export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'rejected' in value;
}
