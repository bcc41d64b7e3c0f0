import { expect, test } from 'vitest';
import { openMeter } from './job-runner.ts';

test('the rate is measured from the first report of a step, and keeps its value after the last', () => {
  let nowMs = 1_000;
  const { report, progress } = openMeter(() => nowMs);
  expect(progress()).toBeNull();
  report({ step: 'ledger', done: 0, total: 4_940 });
  nowMs = 3_000;
  report({ step: 'ledger', done: 4_940, total: 4_940 });
  nowMs = 60_000;
  expect(progress()).toMatchObject({ done: 4_940, perSecond: 2_470 });
  // A rebuild continues from its checkpoint: what was done before does not count.
  report({ step: 'rebuild', done: 1_000, total: 3_000 });
  nowMs = 61_000;
  report({ step: 'rebuild', done: 1_500, total: 3_000 });
  expect(progress()).toMatchObject({ step: 'rebuild', perSecond: 500 });
});
