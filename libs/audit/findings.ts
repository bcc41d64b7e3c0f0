/** The checks, as the report names them. */
export type Check =
  | 'positions'
  | 'chain'
  | 'columns'
  | 'versions'
  | 'money'
  | 'states'
  | 'rounds'
  | 'terms'
  | 'payments'
  | 'protection'
  | 'operators'
  | 'actors'
  | 'seeds'
  | 'seals'
  | 'anchors'
  | 'treasury'
  | 'receipts'
  | 'head'
  | 'idempotency-keys'
  | 'streams'
  | 'sessions'
  | 'projections'
  | 'followers'
  | 'catalogue';

/** Of a finding that is no sign of an altered ledger or row. */
export const NO_MONEY = 'no money';

/** A failed check. `position` is the event where it shows, null if there is none. */
export interface Finding {
  readonly check: Check;
  readonly position: number | null;
  readonly message: string;
  /** The stream that it is about, where the position does not show it; or `NO_MONEY`. */
  readonly about?: string;
}

/** Findings kept for the report, and so many of each check in any case; more are only counted. */
const FINDINGS_KEPT_MAX = 100;
const KEPT_OF_CHECK_MIN = 5;

export class Findings {
  readonly kept: Finding[] = [];
  count = 0;
  private lowest: Finding | null = null;

  add(check: Check, position: number | null, message: string, about?: string): void {
    const finding = { check, position, message, ...(about === undefined ? {} : { about }) };
    this.count++;
    if (this.hasRoom(check)) this.kept.push(finding);
    if (!this.lowest || placeOf(finding) < placeOf(this.lowest)) this.lowest = finding;
  }

  /** Thousands of findings of one check hide no other check. */
  private hasRoom(check: Check): boolean {
    if (this.kept.length < FINDINGS_KEPT_MAX) return true;
    return this.kept.filter((one) => one.check === check).length < KEPT_OF_CHECK_MIN;
  }

  /** The finding with the lowest position; one without a position only if there is no other. */
  first(): Finding | null {
    return this.lowest;
  }
}

function placeOf({ position }: Finding): number {
  return position ?? Number.POSITIVE_INFINITY;
}

export type Progress = (options: { step: string; done: number; total: number }) => void;
