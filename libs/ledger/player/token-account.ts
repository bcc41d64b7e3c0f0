import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';

const DERIVED = new TextEncoder().encode('ProgramDerivedAddress');
const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 32;
const BUMP_MAX = 255;

export const ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

export function toBase58(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= 58n) text = DIGITS.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** The 32 bytes of an address; null for a text that is none. */
function addressBytes(address: string): Uint8Array | null {
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
