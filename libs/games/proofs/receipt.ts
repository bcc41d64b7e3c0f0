import type { Choice } from '@reelbook/ledger/player/events';
import { canonicalJson } from './canonical.ts';
import type { EventProof } from './event-proof.ts';
import { isSignatureOf, type Signature, signText } from './signature.ts';

export { publicKeyOf } from './signature.ts';

/** The version of the format. Another format gets another version; this one never changes. */
export const RECEIPT_VERSION = 'reelbook-receipt-2';

/** One leg of double entry: an integer in minor units (points: hundredths, token: 10^-9) as decimal text. */
export interface ReceiptPosting {
  readonly position: number;
  readonly account: string;
  readonly asset: string;
  readonly delta_minor: string;
}

/** The receipt of a round before it is signed. Amounts are decimal texts of hundredths of points. */
export interface ReceiptBody {
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly issued_at: string;
  readonly wallet: string;
  readonly round_id: string;
  readonly game: string;
  readonly status: 'open' | 'won' | 'lost' | 'voided';
  readonly rules: string;
  /** SHA-256 of the published text of the rules. */
  readonly rules_hash: string;
  readonly lines: number;
  /** Only of a game with a choice. */
  readonly choice?: Choice;
  readonly stake_minor: string;
  /** Null while the round is open. */
  readonly payout_minor: string | null;
  readonly outcome: Record<string, unknown> | null;
  readonly server_seed_hash: string;
  readonly seed_status: 'revealed' | 'awaiting reveal';
  readonly server_seed: string | null;
  readonly client_seed: string;
  readonly nonce: number;
  readonly postings: ReceiptPosting[];
  /** In order: the commitment to the server seed, the client seed, the bet, its settlement; each with its proof. */
  readonly events: EventProof[];
}

export interface Receipt extends ReceiptBody {
  readonly signature: Signature;
}

/** The signed text: the version, a line break, and the receipt without its signature as canonical JSON, in UTF-8. */
export function signedText(receipt: ReceiptBody): string {
  const { signature: _, ...body } = receipt as Receipt;
  return `${RECEIPT_VERSION}\n${canonicalJson(body)}`;
}

export function signReceipt(body: ReceiptBody, secretKey: Uint8Array): Receipt {
  return { ...body, signature: signText(signedText(body), secretKey) };
}

/** Whether the key in a receipt has signed it. False for an invalid key or signature. */
export function isSigned(receipt: Receipt): boolean {
  return isSignatureOf(signedText(receipt), receipt.signature);
}
