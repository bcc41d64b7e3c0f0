import { expect, test } from 'vitest';
import { withdrawal } from './withdraw-panel.tsx';

test('the fee is rounded up to the last minor unit, the rest arrives', () => {
  expect(withdrawal(10_000_000_000n, 0.05)).toEqual({
    feeMinor: 500_000_000n,
    netMinor: 9_500_000_000n,
  });
  expect(withdrawal(1n, 0.05)).toEqual({ feeMinor: 1n, netMinor: 0n });
  expect(withdrawal(21n, 0.05)).toEqual({ feeMinor: 2n, netMinor: 19n });
  expect(withdrawal(0n, 0.05)).toEqual({ feeMinor: 0n, netMinor: 0n });
  expect(withdrawal(100n, 0)).toEqual({ feeMinor: 0n, netMinor: 100n });
});
