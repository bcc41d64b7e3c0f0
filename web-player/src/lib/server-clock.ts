import { createStore } from '@reelbook/web/store';

/** A `Date` header is in seconds, and a response takes time: a smaller difference is none. */
const PRECISION_MS = 5_000;

/** How far the clock of this device is behind the server's, in milliseconds; negative if it is ahead. */
export const clockLag = createStore(0);

/** Compares the clocks by the `Date` header of a response. */
export function compareClocks(date: string): void {
  const lagMs = Date.parse(date) - Date.now();
  if (Number.isNaN(lagMs) || Math.abs(lagMs - clockLag.get()) < PRECISION_MS) return;
  clockLag.set(Math.abs(lagMs) < PRECISION_MS ? 0 : lagMs);
}

/** The server's time: what is signed and what is measured against the ledger's times must not depend on this device. */
export const serverNowMs = () => Date.now() + clockLag.get();
