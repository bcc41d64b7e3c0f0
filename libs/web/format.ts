const POINTS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const TOKEN = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  roundingMode: 'trunc',
} as Intl.NumberFormatOptions);
const INTEGER = new Intl.NumberFormat('en-US');
const MINUS = '\u2212';

/** `1,042.50` */
export function points(amount: number): string {
  return POINTS.format(amount).replace('-', MINUS);
}

/** `+30.00`, `−10.00`, and `0.00` without a sign. */
export function signed(amount: number): string {
  return `${amount > 0 ? '+' : ''}${points(amount)}`;
}

/** BSM with two decimals, rounded down: never more than the balance. */
export function token(amount: number): string {
  return TOKEN.format(amount);
}

const EXACT = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
});

/** A full amount: points with two decimals, BSM with all of its decimals, at least two. */
export function amountText(asset: 'points' | 'token', amount: number): string {
  return asset === 'points' ? points(amount) : EXACT.format(amount).replace('-', MINUS);
}

/** `formatAmount` with a sign. */
export function signedText(asset: 'points' | 'token', amount: number): string {
  return `${amount > 0 ? '+' : ''}${amountText(asset, amount)}`;
}

/** What a win pays per point of its stake, in hundredths: the maximum win leaves any fraction, such as 16.67. */
export const multipleOf = (win: number, stake: number) => Math.round((win / stake) * 100) / 100;

/** `48,213` */
export function formatInteger(count: number): string {
  return INTEGER.format(count);
}

/** `7xKX…gAsU` */
export function shortAddress(address: string): string {
  return address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

/** `9f3a…c41e` */
export function shortHash(hash: string): string {
  return shortAddress(hash);
}

/** Local time, `14:32:07`; with the date when it is not today. */
export function clockTime(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString('en-GB');
  return at.toDateString() === now.toDateString() ? time : dateTime(iso).slice(0, -3);
}

/** Local date and time, `2026-11-25 14:32:07`. */
export function dateTime(iso: string): string {
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return `${day} ${at.toLocaleTimeString('en-GB')}`;
}

/** `00:14:32` */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map(twoDigits).join(':');
}

export type Age = { unit: 'now' | 'seconds' | 'minutes' | 'hours' | 'days'; count: number };

/** How long ago, in the largest complete unit; within a minute "now", or with `seconds` from one second on their number. */
export function age(iso: string, nowMs: number, seconds = false): Age {
  const passed = Math.floor((nowMs - Date.parse(iso)) / 1_000);
  const minutes = Math.floor(passed / 60);
  if (seconds && passed >= 1 && minutes < 1) return { unit: 'seconds', count: passed };
  if (!(minutes >= 1)) return { unit: 'now', count: 0 };
  if (minutes < 60) return { unit: 'minutes', count: minutes };
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? { unit: 'hours', count: hours }
    : { unit: 'days', count: Math.floor(hours / 24) };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
