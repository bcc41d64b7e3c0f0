import { testLagOf } from '@reelbook/projector/projector';
import { readSettings } from '@reelbook/runtime/settings';
import { cashierLagMs, publisherLagMs } from '@reelbook/runtime/test-lag';

const { testLag } = readSettings();

/** How late the parts that tests start in their own process are, as TEST_LAG says. */
export const LAG = {
  order: testLag,
  readModelMs: testLagOf(testLag),
  publisherMs: publisherLagMs(testLag),
  cashierMs: cashierLagMs(testLag),
} as const;

/** For a test that cannot hold while read models are late; it says why. */
export const NO_LAG = { lagMs: () => 0 } as const;
