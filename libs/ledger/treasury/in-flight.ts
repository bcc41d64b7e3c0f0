import type { WithdrawConfig } from '../config/config.ts';
import { toText } from '../money.ts';

/**
 * Money in flight: the flow through the treasury on the chain (`netDepositsMinor`), less what the ledger has recorded of it.
 * It differs from 0 only for seconds: the cashier credits a deposit when it sees it, and records a payment in its next round.
 */

/** No transfer is in flight for longer while a cashier works; includes an hour of downtime. */
export const IN_FLIGHT_MAX_MS = 3_600_000;

/** Amounts that are kept before pruning starts. */
const POINTS_MIN = 1_000;

interface Point {
  readonly atMs: number;
  readonly minor: bigint;
}

/** Follows the amount in flight through the ledger, event by event, and keeps the last hour. */
export class InFlight {
  /** Each is valid until the next one. */
  private points: Point[] = [{ atMs: Number.NEGATIVE_INFINITY, minor: 0n }];
  private prunedAtLength = POINTS_MIN;

  get nowMinor(): bigint {
    return this.points.at(-1)?.minor ?? 0n;
  }

  move(minor: bigint, atMs: number): void {
    if (minor === this.nowMinor) return;
    this.points.push({ atMs, minor });
    // Pruning at every event would cost the square of the length.
    if (this.points.length > this.prunedAtLength) this.prune(atMs);
  }

  private prune(nowMs: number): void {
    const begin = nowMs - IN_FLIGHT_MAX_MS;
    const last = this.points.findLastIndex(({ atMs }) => atMs <= begin);
    this.points = this.points.slice(Math.max(0, last));
    this.prunedAtLength = Math.max(POINTS_MIN, 2 * this.points.length);
  }

  /** The least amount in flight during the last hour, in one direction; 0 if at any time none was. */
  stuckMinor(nowMs: number): bigint {
    const begin = nowMs - IN_FLIGHT_MAX_MS;
    const last = this.points.findLastIndex(({ atMs }) => atMs <= begin);
    const amounts = this.points.slice(Math.max(0, last)).map(({ minor }) => minor);
    const [least = 0n] = amounts.sort((a, b) => (a < b ? -1 : Number(a > b)));
    const most = amounts.at(-1) ?? 0n;
    if (least > 0n) return least;
    return most < 0n ? most : 0n;
  }
}

/** Faults of the treasury that the ledger alone shows, for the audit and the cashier's solvency check. */
export function treasuryFaults({
  stuckMinor,
  marginMinor,
}: {
  readonly stuckMinor: bigint;
  readonly marginMinor: bigint;
}): readonly string[] {
  const faults: string[] = [];
  if (stuckMinor !== 0n) {
    const amount = toText('token', stuckMinor < 0n ? -stuckMinor : stuckMinor);
    const than = stuckMinor < 0n ? 'less' : 'more';
    faults.push(`for more than an hour ${amount} ${than} has come over the chain than is recorded`);
  }
  if (marginMinor < 0n) {
    faults.push(
      `the treasury was observed to hold ${toText('token', -marginMinor)} less than is owed`,
    );
  }
  return faults;
}

type Terms = Pick<WithdrawConfig, 'hotWalletMaxTokenMinor'>;

/** The amount above the treasury's cap; null if there is none or no cap. */
export function overCapMinor(
  heldMinor: bigint,
  { hotWalletMaxTokenMinor: max }: Terms,
): bigint | null {
  return max > 0n && heldMinor > max ? heldMinor - max : null;
}

/** The warning of commands and the audit; it is not a fault of the ledger. */
export function describeOverCap(heldMinor: bigint, terms: Terms): string | null {
  const over = overCapMinor(heldMinor, terms);
  if (over === null) return null;
  const [held, max] = [toText('token', heldMinor), toText('token', terms.hotWalletMaxTokenMinor)];
  return `the hot wallet holds ${held}, ${toText('token', over)} above its cap of ${max}`;
}
