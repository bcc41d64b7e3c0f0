/** The specification's, until the server's own is known. */
export const FEE_RATE_DEFAULT = 0.05;
/** Rates have at most this many decimals here; the server's own is an exact fraction. */
const RATE_UNIT = 1_000_000_000_000;

/** Fee, rounded up as the server does, and what arrives. Minor units of BSM. */
export function withdrawal(
  amountMinor: bigint,
  feeRate: number,
): { feeMinor: bigint; netMinor: bigint } {
  const unit = BigInt(RATE_UNIT);
  const feeMinor = (amountMinor * BigInt(Math.round(feeRate * RATE_UNIT)) + unit - 1n) / unit;
  return { feeMinor, netMinor: amountMinor - feeMinor };
}
