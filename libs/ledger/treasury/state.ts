export interface TreasuryState {
  /** Null before the first observation. */
  readonly tokenMinor: bigint | null;
  readonly netDepositsMinor: bigint;
  /** Of the last observation that has one. */
  readonly slot?: number;
  /** Unresolved unmatched deposits; the cashier's table lists them. */
  readonly unmatched: { readonly count: number; readonly amountMinor: bigint };
  /** The day (UTC) of the last event of dust. */
  readonly dustDay?: string;
  /** The newest seal that is anchored; 0 before the first anchor. */
  readonly anchoredSeal: number;
}
