/** A payment of the treasury as the chain has it. */
export interface LostPayment {
  readonly signature: string;
  /** Its memo. Another request may get the same id afterwards: this paid only one of this amount to this account. */
  readonly withdrawal: string;
  readonly netMinor: bigint;
  /** The token account that received it. */
  readonly to: string;
}

/** A memo of the treasury about a seal that the ledger lacks, or has with another root. */
export interface LostAnchor {
  readonly signature: string;
  readonly seal: number;
  readonly root: string;
}

/** What the ledger lost when it went back. Nothing else is excused. */
export interface Loss {
  /** The head that the ledger went back to, in hex. */
  readonly position: number;
  readonly hash: string;
  /** The last lost event that is known; `position` if none is. */
  readonly lostTo: number;
  readonly payments: readonly LostPayment[];
  readonly anchors: readonly LostAnchor[];
}
