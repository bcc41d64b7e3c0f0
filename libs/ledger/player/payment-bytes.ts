import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { TokenConfig } from '../config/config.ts';
import { toText } from '../money.ts';
import type { OpenWithdrawal } from './withdrawal-state.ts';

const DERIVED = new TextEncoder().encode('ProgramDerivedAddress');
const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 32;
/** Of 32 bytes in base58. */
const ADDRESS_LENGTH_MAX = 44;
const BUMP_MAX = 255;

const ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

export function toBase58(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= 58n) text = DIGITS.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** The 32 bytes of an address; null for a text that is none. */
function addressBytes(address: string): Uint8Array | null {
  if (address.length > ADDRESS_LENGTH_MAX) return null; // decoding takes the square of the length
  const digits = [...address].map((digit) => DIGITS.indexOf(digit));
  let value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n);
  const bytes = new Uint8Array(ADDRESS_BYTES);
  for (let at = ADDRESS_BYTES - 1; at >= 0; at--, value /= 256n) bytes[at] = Number(value % 256n);
  return toBase58(bytes) === address ? bytes : null;
}

/** The associated token account of a wallet: an address that no key can sign for. Null if one of the texts is no address. */
export function tokenAccountOf(
  wallet: string,
  { mint, program }: { readonly mint: string; readonly program: string },
): string | null {
  const seeds = [wallet, program, mint].map(addressBytes);
  if (seeds.includes(null)) return null;
  const end = [...(addressBytes(ACCOUNT_PROGRAM) ?? []), ...DERIVED];
  const begin = seeds.flatMap((seed) => [...(seed ?? [])]);
  for (let bump = BUMP_MAX; bump >= 0; bump--) {
    const derived = sha256(Uint8Array.from([...begin, bump, ...end]));
    if (!isOnCurve(derived)) return toBase58(derived);
  }
  return null;
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The signed bytes of a payment: the only form in which money leaves the treasury. They are decoded before they are
 * recorded, and again by the audit, and must be exactly what the site writes for one withdrawal: a legacy or version 0
 * transaction of Solana without lookup tables, signed by the treasury alone, with
 *
 *   compute unit limit, compute unit price, [creation of the recipient's token account], memo, transfer
 *
 * Token-2022 accounts can require the memo directly before the transfer.
 */

/** Limit of compute units: about twice what a transfer with a new token account and a memo uses. */
export const UNITS_MAX = 150_000;
/** Micro-lamports per unit: with the units above, a priority fee of at most 0.000015 SOL. */
export const PRIORITY_MAX_MICRO = 100_000;

const BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Token and Token-2022. */
export const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
const UNIT_LIMIT = 2;
const UNIT_PRICE = 3;
const CREATE_IDEMPOTENT = 1;
const TRANSFER_CHECKED = 12;

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const VERSION_FLAG = 0x80;

interface DecodedInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: readonly number[];
}

/** Addresses and signatures in base58. The first signer pays the fee. */
interface DecodedTransaction {
  readonly signatures: readonly string[];
  readonly signers: readonly string[];
  readonly instructions: readonly DecodedInstruction[];
}

/** Null for anything but a complete legacy or version 0 transaction without lookup tables. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction | null {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

class Malformed extends Error {}

function read(bytes: Uint8Array): DecodedTransaction {
  let at = 0;
  const take = (count: number) => {
    if (at + count > bytes.length) throw new Malformed();
    at += count;
    return bytes.subarray(at - count, at);
  };
  const byte = () => take(1)[0] ?? 0;
  /** The chain's compact-u16: 7 bits per byte, in the shortest form. */
  const length = () => {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if (next & 0x80) continue;
      if ((next === 0 && shift > 0) || value > 0xffff) break;
      return value;
    }
    throw new Malformed();
  };
  const list = <T>(one: () => T): T[] => Array.from({ length: length() }, one);
  const key = () => toBase58(take(KEY_BYTES));

  const signatures = list(() => toBase58(take(SIGNATURE_BYTES)));
  const first = byte();
  const isVersioned = (first & VERSION_FLAG) !== 0;
  if (isVersioned && first !== VERSION_FLAG) throw new Malformed();
  const signerCount = isVersioned ? byte() : first;
  take(2); // numbers of read-only accounts
  const keys = list(key);
  take(KEY_BYTES); // the blockhash
  const keyAt = () => keys[byte()] ?? fail();
  const instructions = list(() => ({
    program: keyAt(),
    accounts: list(keyAt),
    data: [...take(length())],
  }));
  const lookups = isVersioned ? length() : 0;
  if (lookups > 0 || at !== bytes.length) throw new Malformed();
  if (signerCount > keys.length || signatures.length !== signerCount) throw new Malformed();
  return { signatures, signers: keys.slice(0, signerCount), instructions };
}

function fail(): never {
  throw new Malformed();
}

type Paid = Pick<OpenWithdrawal, 'withdrawal' | 'to' | 'netMinor'>;

/**
 * How signed bytes differ from the payment of that withdrawal; null if they are it. `memoLast`: payments signed before
 * 2026-11-26 have the memo after the transfer.
 */
export function paymentFault(
  paid: Paid,
  { contract: mint, projectWallet: treasury, decimals }: TokenConfig,
  signed: { readonly signature: string; readonly transaction: string },
  { memoLast = false } = {},
): string | null {
  if (mint === null || treasury === null) return 'the ledger has no mint and treasury';
  const decoded = decodeTransaction(fromBase64(signed.transaction));
  if (!decoded) return 'its bytes are no transaction without lookup tables';
  if (decoded.signers.join() !== treasury) return 'it is not signed by the treasury alone';
  if (decoded.signatures.join() !== signed.signature) return 'its bytes have another signature';
  const [limit, price, ...rest] = decoded.instructions;
  if (
    !isBudget(limit, UNIT_LIMIT, 4, UNITS_MAX) ||
    !isBudget(price, UNIT_PRICE, 8, PRIORITY_MAX_MICRO)
  ) {
    return 'its compute budget is missing or above the bounds';
  }
  const program = TOKEN_PROGRAMS.find((one) => rest.some((given) => given.program === one));
  if (!program) return 'it transfers no tokens';
  const token = { mint, program };
  const [source, target] = [tokenAccountOf(treasury, token), tokenAccountOf(paid.to, token)];
  if (source === null || target === null) return 'it is to no wallet';
  const owner = treasury;
  const open = {
    program: ACCOUNT_PROGRAM,
    accounts: [owner, target, paid.to, mint, SYSTEM_PROGRAM, program],
    data: [CREATE_IDEMPOTENT],
  };
  const memo = {
    program: MEMO_PROGRAM,
    accounts: [],
    data: [...new TextEncoder().encode(paid.withdrawal)],
  };
  const transfer = {
    program,
    accounts: [source, mint, target, owner],
    data: [TRANSFER_CHECKED, ...littleEndian(paid.netMinor, 8), decimals],
  };
  const allowed = [[memo, transfer], ...(memoLast ? [[transfer, memo]] : [])];
  const given = JSON.stringify(rest);
  const isAllowed = allowed.some((pair) =>
    [pair, [open, ...pair]].some((list) => JSON.stringify(list) === given),
  );
  if (isAllowed) return null;
  const amount = toText('token', paid.netMinor);
  return `it is not one transfer of ${amount} to ${target}, the token account of ${paid.to}, with its memo`;
}

function isBudget(
  instruction: DecodedInstruction | undefined,
  type: number,
  valueBytes: number,
  max: number,
): boolean {
  if (instruction?.program !== BUDGET_PROGRAM || instruction.accounts.length > 0) return false;
  const [first, ...value] = instruction.data;
  if (first !== type || value.length !== valueBytes) return false;
  return value.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) <= BigInt(max);
}

function littleEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
}

/** Empty for a text that is not canonical base64. */
function fromBase64(text: string): Uint8Array {
  try {
    const bytes = atob(text);
    return btoa(bytes) === text
      ? Uint8Array.from(bytes, (one) => one.charCodeAt(0))
      : new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
