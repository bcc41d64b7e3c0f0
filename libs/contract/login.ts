/** The text a player's wallet signs, followed by the time in milliseconds since 1970. No other text is accepted. */
export const LOGIN_SENTENCE = 'Sign this message to log in to Reelbook: ';

/** The text operators sign. It differs, so that a player's signature is never valid for the console, and vice versa. */
export const OPERATOR_SENTENCE = "Sign this message to enter the operators' console of Reelbook: ";

/** Validity of a signed message, from the time that it contains. */
export const LOGIN_WINDOW_MS = 5 * 60_000;
/** Tolerance for a client clock that is ahead. */
export const LOGIN_AHEAD_MS = 60_000;

const SIGNATURE_BYTES = 64;

/** The text to sign at `timeMs`. */
export function loginMessage(timeMs: number, sentence: string = LOGIN_SENTENCE): string {
  return `${sentence}${timeMs}`;
}

/** The time in a login message; null unless the text is exactly the sentence and 13 digits. */
export function readLoginTime(message: string, sentence: string = LOGIN_SENTENCE): number | null {
  if (!message.startsWith(sentence)) return null;
  const digits = message.slice(sentence.length);
  return /^[1-9]\d{12}$/.test(digits) ? Number(digits) : null;
}

/** Encodes a signature: its 64 bytes, separated by commas. */
export function writeSignature(bytes: Uint8Array): string {
  return Array.from(bytes).join(',');
}

/** Decodes a signature; null unless the text is exactly 64 integers from 0 to 255. */
export function readSignature(text: string): Uint8Array | null {
  const parts = text.split(',');
  if (parts.length !== SIGNATURE_BYTES) return null;
  const bytes = new Uint8Array(SIGNATURE_BYTES);
  for (const [index, part] of parts.entries()) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part)) return null;
    const value = Number(part);
    if (value > 255) return null;
    bytes[index] = value;
  }
  return bytes;
}
