/** What the audit looks at, in the words of its report. */
export type Check =
  | 'positions'
  | 'chain'
  | 'columns'
  | 'versions'
  | 'money'
  | 'states'
  | 'rounds'
  | 'seeds'
  | 'head'
  | 'claims'
  | 'tips'
  | 'read models';

/** One thing that does not hold. `position` names the event where it shows, null where there is none. */
export interface Finding {
  readonly check: Check;
  readonly position: number | null;
  readonly message: string;
}

/** Findings kept for the report; more are only counted. */
const FINDINGS_KEPT_MAX = 100;

export class Findings {
  readonly kept: Finding[] = [];
  count = 0;

  add(check: Check, position: number | null, message: string): void {
    this.count++;
    if (this.kept.length < FINDINGS_KEPT_MAX) this.kept.push({ check, position, message });
  }

  /** The finding with the lowest position; one without a position only if there is no other. */
  first(): Finding | null {
    const place = (finding: Finding) => finding.position ?? Number.POSITIVE_INFINITY;
    return this.kept.reduce<Finding | null>(
      (first, finding) => (first && place(first) <= place(finding) ? first : finding),
      null,
    );
  }
}
