/** What one operator said of an unmatched deposit, until a second says the same. */
export interface Proposal {
  readonly to: string;
  readonly by: string;
}

export interface TreasuryState {
  /** Null until it was first observed. */
  readonly tokenMinor: bigint | null;
  readonly netDepositsMinor: bigint;
  /** Of the last observation that said one. */
  readonly slot?: number;
  /** Unmatched deposits that nobody has resolved yet. Which they are, the cashier's table tells. */
  readonly unmatched: { readonly count: number; readonly amountMinor: bigint };
  /** By signature and token account: those that wait for a second operator. */
  readonly proposed?: Readonly<Record<string, Proposal>>;
  /** The newest seal that is anchored; 0 before the first anchor. */
  readonly anchoredSeal: number;
}
