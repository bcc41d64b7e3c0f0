/** The specification's fee, used until the server's is loaded. */
export const FEE_RATE_DEFAULT = 0.05;
/** Maximum decimals of a displayed rate; the server's rate is an exact fraction. */
const RATE_UNIT = 1_000_000_000_000;

/** Fee, rounded up as the server does, and net amount. Minor units of BSM. */
export function withdrawal(
  amountMinor: bigint,
  feeRate: number,
): { feeMinor: bigint; netMinor: bigint } {
  const unit = BigInt(RATE_UNIT);
  const feeMinor = (amountMinor * BigInt(Math.round(feeRate * RATE_UNIT)) + unit - 1n) / unit;
  return { feeMinor, netMinor: amountMinor - feeMinor };
}
