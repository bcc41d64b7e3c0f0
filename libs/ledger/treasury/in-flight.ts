import { toText } from '../money.ts';

/**
 * Money in flight: what the chain has of the flow through the treasury (`netDepositsMinor`), less what the ledger has booked of it.
 * It is 0 but for seconds: a deposit is credited by the round of the cashier that sees it, a payment booked by the next one.
 */

/** Longer than any of it can be in flight while a cashier works, with an hour for a cashier that is down. */
export const IN_FLIGHT_MAX_MS = 3_600_000;

/** Amounts that are kept without looking which of them are still needed. */
const POINTS_MIN = 1_000;

interface Point {
  readonly atMs: number;
  readonly minor: bigint;
}

/** Follows the amount in flight through the ledger, event by event, and keeps only what the last hour of it needs. */
export class InFlight {
  /** Each holds until the next one; the first also before it. */
  private points: Point[] = [{ atMs: Number.NEGATIVE_INFINITY, minor: 0n }];
  private prunedAtLength = POINTS_MIN;

  get nowMinor(): bigint {
    return this.points.at(-1)?.minor ?? 0n;
  }

  move(minor: bigint, atMs: number): void {
    if (minor === this.nowMinor) return;
    this.points.push({ atMs, minor });
    // Now and then: to go through the list for each event would cost the square of its length.
    if (this.points.length > this.prunedAtLength) this.prune(atMs);
  }

  private prune(nowMs: number): void {
    const begin = nowMs - IN_FLIGHT_MAX_MS;
    const last = this.points.findLastIndex(({ atMs }) => atMs <= begin);
    this.points = this.points.slice(Math.max(0, last));
    this.prunedAtLength = Math.max(POINTS_MIN, 2 * this.points.length);
  }

  /** How much was in flight, in one direction, at every moment of the last hour; 0 when at some moment nothing was. */
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

/** What does not fit of the treasury, as far as the ledger alone shows it: for the audit and the cashier's solvency alike. */
export function treasuryFaults(o: {
  readonly stuckMinor: bigint;
  readonly marginMinor: bigint;
}): readonly string[] {
  const { stuckMinor, marginMinor } = o;
  const faults: string[] = [];
  if (stuckMinor !== 0n) {
    const amount = toText('token', stuckMinor < 0n ? -stuckMinor : stuckMinor);
    const than = stuckMinor < 0n ? 'less' : 'more';
    faults.push(`for more than an hour ${amount} ${than} has come over the chain than is booked`);
  }
  if (marginMinor < 0n) {
    faults.push(
      `the treasury was observed to hold ${toText('token', -marginMinor)} less than is owed`,
    );
  }
  return faults;
}
