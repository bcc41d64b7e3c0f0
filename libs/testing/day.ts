import { DAY_MS } from '@reelbook/ledger/calendar';

/** More than a test file takes between what it compares. */
const LAST_MS = 240_000;

/** How long a test file waits before it begins, in milliseconds: until the day has ended if it is about to. */
export function untilNewDayMs(nowMs: number): number {
  const leftMs = DAY_MS - (nowMs % DAY_MS);
  return leftMs > LAST_MS ? 0 : leftMs;
}
