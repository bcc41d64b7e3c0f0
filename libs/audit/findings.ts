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
  /** The row or object that is wrong, where it is not the event: what names the same one is one fault. */
  readonly row?: string;
  /** What else an event must touch to have caused it, as in `touched.ts`. */
  readonly touches?: readonly string[];
  /** The first and the last of the events that it is about. */
  readonly range?: readonly [number, number];
}

type Details = Omit<Finding, 'check' | 'position' | 'message'>;

/** Findings kept for the report, and so many of each check in any case; more are only counted. */
const FINDINGS_KEPT_MAX = 100;
const KEPT_OF_CHECK_MIN = 5;

export class Findings {
  readonly kept: Finding[] = [];
  /** By position: what the event of a kept finding touches. */
  touched: ReadonlyMap<number, ReadonlySet<string>> = new Map();
  count = 0;
  private lowest: Finding | null = null;

  add(check: Check, position: number | null, message: string, details: Details = {}): void {
    const finding = { check, position, message, ...details };
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
