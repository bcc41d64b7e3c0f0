import { SIGNATURE_AHEAD_MS, SIGNATURE_WINDOW_MS } from '@reelbook/ledger/player/confirmation';

const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether two origins are one site. On the loopback interface all names and ports are: in development the page may be open
 * under another name, through a tunnel or from another gateway.
 */
export function isSameSite(origin: string, other: string): boolean {
  return origin === other || (isLoopback(origin) && isLoopback(other));
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
}

/** The text a player's wallet signs, followed by the time in milliseconds since 1970. It names the site that it logs in to. */
export const loginSentence = (origin: string) =>
  `Sign this message to log in to Reelbook at ${origin}: `;

/** The text operators sign. It differs, so that a player's signature is never valid for the console, and vice versa. */
export const operatorSentence = (origin: string) =>
  `Sign this message to enter the operators' console of Reelbook at ${origin}: `;

const SIGNATURE_BYTES = 64;

/** Why a login message is refused, before its signature is verified. */
type LoginFault = 'login-invalid' | 'login-other-origin' | 'login-too-old' | 'login-in-future';

interface ReadMessage {
  readonly text: string;
  /** The origin of this site. */
  readonly origin: string;
  readonly nowMs: number;
}

/** The text to sign at `timeMs`. */
export function loginMessage(timeMs: number, sentence: string): string {
  return `${sentence}${timeMs}`;
}

/** The time in a login message; a fault unless the text is exactly the sentence of this origin and 13 digits in the window. */
export function readLogin(
  { text, origin, nowMs }: ReadMessage,
  sentenceOf: typeof loginSentence,
): number | LoginFault {
  const [, named = '', digits = ''] = /^.* at (\S+): ([1-9]\d{12})$/.exec(text) ?? [];
  const timeMs = Number(digits);
  if (text !== loginMessage(timeMs, sentenceOf(named))) return 'login-invalid';
  if (named !== origin) return 'login-other-origin';
  return outsideWindow(timeMs, nowMs) ?? timeMs;
}

/** The statement of every Sign-In With Solana message of players. */
const SIGN_IN_STATEMENT = 'Log in to Reelbook.';

/** What the page passes to `solana:signIn`. The wallet adds its address and refuses the domain of another page. */
export interface SignInInput {
  readonly domain: string;
  readonly statement: string;
  readonly uri: string;
  readonly version: '1';
  readonly nonce: string;
  readonly issuedAt: string;
}

/** `nonce`: 8 to 64 letters and digits, random. */
export function signInInput(o: {
  readonly origin: string;
  readonly nonce: string;
  readonly timeMs: number;
}): SignInInput {
  return {
    domain: new URL(o.origin).host,
    statement: SIGN_IN_STATEMENT,
    uri: o.origin,
    version: '1',
    nonce: o.nonce,
    issuedAt: new Date(o.timeMs).toISOString(),
  };
}

/** The text that a wallet signs for such an input, by the format of Sign-In With Solana. */
export function signInText(address: string, input: SignInInput): string {
  return `${input.domain} wants you to sign in with your Solana account:
${address}

${input.statement}

URI: ${input.uri}
Version: ${input.version}
Nonce: ${input.nonce}
Issued At: ${input.issuedAt}`;
}

export const isSignInText = (text: string) => text.includes('\n');

const SIGN_IN_FIELDS =
  /^(\S+) wants .*\n.*\n\n.*\n\nURI: (\S+)\n.*\nNonce: ([A-Za-z0-9]{8,64})\nIssued At: (\S+)$/;

/** The time in a Sign-In With Solana message; a fault unless it is exactly the text of this site, statement and address. */
export function readSignIn(
  { text, origin, nowMs }: ReadMessage,
  address: string,
): number | LoginFault {
  const [, domain, uri = '', nonce = '', issuedAt = ''] = SIGN_IN_FIELDS.exec(text) ?? [];
  const timeMs = Date.parse(issuedAt);
  if (!URL.canParse(uri) || Number.isNaN(timeMs)) return 'login-invalid';
  if (domain !== new URL(uri).host || !isSameSite(uri, origin)) return 'login-other-origin';
  if (text !== signInText(address, signInInput({ origin: uri, nonce, timeMs }))) {
    return 'login-invalid';
  }
  return outsideWindow(timeMs, nowMs) ?? timeMs;
}

function outsideWindow(timeMs: number, nowMs: number): LoginFault | null {
  if (timeMs < nowMs - SIGNATURE_WINDOW_MS) return 'login-too-old';
  return timeMs > nowMs + SIGNATURE_AHEAD_MS ? 'login-in-future' : null;
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
