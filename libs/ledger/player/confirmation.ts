import { DECIMALS, toText } from '../money.ts';

/** Validity of a signed login or confirmation, from the time that it contains. */
export const SIGNATURE_WINDOW_MS = 5 * 60_000;
/** Tolerance for a client clock that is ahead. */
export const SIGNATURE_AHEAD_MS = 60_000;

/** The player's wallet has signed the amount and the address of a withdrawal. */
export interface Confirmation {
  readonly message: string;
  /** 64 bytes in hex. */
  readonly signature: string;
}

/** The contents of a confirmation's message. */
export interface ConfirmedWithdrawal {
  /** The site's public origin, such as `https://play.example.com`. */
  readonly origin: string;
  readonly amountMinor: bigint;
  readonly to: string;
  readonly atMs: number;
}

const PATTERN =
  /^Withdraw (\d{1,10})(?:\.(\d{1,9}))? BSM from Reelbook at (\S{1,255}) to (\w{32,44}): ([1-9]\d{12})$/;

/** The text that the wallet signs. It differs from the texts of logins, so that no signature is valid for both. */
export function confirmationMessage(confirmed: ConfirmedWithdrawal): string {
  const { origin, amountMinor, to, atMs } = confirmed;
  return `Withdraw ${toText('token', amountMinor)} from Reelbook at ${origin} to ${to}: ${atMs}`;
}

/** Parses a message; null unless it is exactly the text that `confirmationMessage` returns for its contents. */
export function readConfirmation(message: string): ConfirmedWithdrawal | null {
  const match = PATTERN.exec(message);
  if (!match) return null;
  const [, units = '', fraction = '', origin = '', to = '', time = ''] = match;
  const amountMinor = BigInt(units + fraction.padEnd(DECIMALS.token, '0'));
  const confirmed = { origin, amountMinor, to, atMs: Number(time) };
  return confirmationMessage(confirmed) === message ? confirmed : null;
}
