/** One operator's proposal for an unmatched deposit, until a second operator proposes the same. */
export interface Proposal {
  readonly to: string;
  readonly by: string;
}

export interface TreasuryState {
  /** Null before the first observation. */
  readonly tokenMinor: bigint | null;
  readonly netDepositsMinor: bigint;
  /** Of the last observation that has one. */
  readonly slot?: number;
  /** Unresolved unmatched deposits; the cashier's table lists them. */
  readonly unmatched: { readonly count: number; readonly amountMinor: bigint };
  /** Proposals that wait for a second operator, by signature and token account. */
  readonly proposed?: Readonly<Record<string, Proposal>>;
  /** The day (UTC) of the last event of dust. */
  readonly dustDay?: string;
  /** The newest seal that is anchored; 0 before the first anchor. */
  readonly anchoredSeal: number;
}
