import { testLagOf } from '@reelbook/projector/projector';
import { readSettings } from '@reelbook/runtime/settings';
import { cashierLagMs, publisherLagMs } from '@reelbook/runtime/test-lag';

const { testLag } = readSettings();

/** The delay of projections that tests start in their own process, from TEST_LAG. */
export const LAG = {
  order: testLag,
  readModelMs: testLagOf(testLag),
  publisherMs: publisherLagMs(testLag),
  cashierMs: cashierLagMs(testLag),
} as const;

/** For a test that cannot pass while projections are late; takes the reason. */
export const NO_LAG = { lagMs: () => 0 } as const;
