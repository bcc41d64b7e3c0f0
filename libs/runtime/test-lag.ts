/**
 * TEST_LAG delays each follower of the ledger by a different time. A test that reads a read model without waiting for the
 * expected state then fails in one of the two orders.
 */
export const LAG_ORDERS = ['none', 'forward', 'reverse'] as const;
export type LagOrder = (typeof LAG_ORDERS)[number];

const MIN_MS = 80;
const MAX_MS = 1_300;
const PUBLISHER_MS = 300;
const CASHIER_MS = 400;

/** The delay of each read model: evenly spread, ascending, or descending in reverse. */
export function readModelLag(order: LagOrder, names: readonly string[]): (name: string) => number {
  if (order === 'none') return () => 0;
  const stepMs = (MAX_MS - MIN_MS) / Math.max(1, names.length - 1);
  const ordered = order === 'forward' ? names : names.toReversed();
  return (name) => Math.round(MIN_MS + Math.max(0, ordered.indexOf(name)) * stepMs);
}

export const publisherLagMs = (order: LagOrder) => (order === 'none' ? 0 : PUBLISHER_MS);
export const cashierLagMs = (order: LagOrder) => (order === 'none' ? 0 : CASHIER_MS);
