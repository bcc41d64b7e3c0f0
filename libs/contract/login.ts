/** The sentence a wallet signs, followed by the time in milliseconds. Nothing else is accepted as a login. */
export const LOGIN_SENTENCE = 'Sign this message to log in to Reelbook: ';

/** The sentence of operators. Another one, so that what a player signed never enters the console, and the reverse. */
export const OPERATOR_SENTENCE = "Sign this message to enter the operators' console of Reelbook: ";

/** A signed message is good for this long after its own time. */
export const LOGIN_WINDOW_MS = 5 * 60_000;
/** How far the clock of a player may be ahead. */
export const LOGIN_AHEAD_MS = 60_000;

const SIGNATURE_BYTES = 64;

/** The text to sign at `timeMs`. */
export function loginMessage(timeMs: number, sentence: string = LOGIN_SENTENCE): string {
  return `${sentence}${timeMs}`;
}

/** The time inside a login message, or null for any text that is not exactly the sentence and 13 digits. */
export function readLoginTime(message: string, sentence: string = LOGIN_SENTENCE): number | null {
  if (!message.startsWith(sentence)) return null;
  const digits = message.slice(sentence.length);
  return /^[1-9]\d{12}$/.test(digits) ? Number(digits) : null;
}

/** A signature as it travels: its 64 bytes joined by commas. */
export function writeSignature(bytes: Uint8Array): string {
  return Array.from(bytes).join(',');
}

/** The inverse; null unless the text is exactly 64 plain integers from 0 to 255. */
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
