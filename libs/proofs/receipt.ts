import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import nacl from 'tweetnacl';
import { canonicalJson } from './canonical.ts';
import type { EventProof } from './event-proof.ts';

/** Names the format and its rules. Another format gets another version; this one never changes. */
export const RECEIPT_VERSION = 'reelbook-receipt-1';

/** One leg of double entry: an integer in minor units (points: hundredths, token: 10^-9) as decimal text. */
export interface ReceiptPosting {
  readonly position: number;
  readonly account: string;
  readonly asset: string;
  readonly delta_minor: string;
}

/** What the site says of one round, before it is signed. Amounts are decimal texts of hundredths of points. */
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
  /** The events of the round, in order, each with its proof. */
  readonly events: EventProof[];
}

export interface Receipt extends ReceiptBody {
  readonly signature: {
    readonly algorithm: 'ed25519';
    /** 64 hex digits. */
    readonly public_key: string;
    /** 128 hex digits. */
    readonly value: string;
  };
}

/** What is signed: the version, a line break, and the receipt without its signature as canonical JSON, in UTF-8. */
export function signedText(receipt: ReceiptBody): string {
  const { signature: _, ...body } = receipt as Receipt;
  return `${RECEIPT_VERSION}\n${canonicalJson(body)}`;
}

/** The public key of a secret one of 32 bytes, in hex. */
export function publicKeyOf(secretKey: Uint8Array): string {
  return bytesToHex(nacl.sign.keyPair.fromSeed(secretKey).publicKey);
}

export function signReceipt(body: ReceiptBody, secretKey: Uint8Array): Receipt {
  const pair = nacl.sign.keyPair.fromSeed(secretKey);
  const value = bytesToHex(nacl.sign.detached(utf8ToBytes(signedText(body)), pair.secretKey));
  const public_key = bytesToHex(pair.publicKey);
  return { ...body, signature: { algorithm: 'ed25519', public_key, value } };
}

/** Whether the key that a receipt names has signed it. False for a key or signature that is none. */
export function isSigned(receipt: Receipt): boolean {
  const { algorithm, public_key, value } = receipt.signature;
  if (algorithm !== 'ed25519') return false;
  if (!/^[0-9a-f]{64}$/.test(public_key) || !/^[0-9a-f]{128}$/.test(value)) return false;
  const text = utf8ToBytes(signedText(receipt));
  return nacl.sign.detached.verify(text, hexToBytes(value), hexToBytes(public_key));
}
