/**
 * TEST_LAG: the followers of the ledger are late on purpose, each by its own measure. A test that reads a read model
 * without waiting for the state that it expects then fails, in one order of the read models or in the other.
 */
export const LAG_ORDERS = ['none', 'forward', 'reverse'] as const;
export type LagOrder = (typeof LAG_ORDERS)[number];

const LEAST_MS = 80;
const MOST_MS = 1_300;
const PUBLISHER_MS = 300;
const CASHIER_MS = 400;

/** How late each of these read models is: evenly spread, the first the least, or the most in reverse. */
export function readModelLag(order: LagOrder, names: readonly string[]): (name: string) => number {
  if (order === 'none') return () => 0;
  const stepMs = (MOST_MS - LEAST_MS) / Math.max(1, names.length - 1);
  const ordered = order === 'forward' ? names : names.toReversed();
  return (name) => Math.round(LEAST_MS + Math.max(0, ordered.indexOf(name)) * stepMs);
}

export const publisherLagMs = (order: LagOrder) => (order === 'none' ? 0 : PUBLISHER_MS);
export const cashierLagMs = (order: LagOrder) => (order === 'none' ? 0 : CASHIER_MS);
