import { type Check, faultOf } from '../health.ts';

/** What needs a person. */
export interface Problem {
  /** Distinguishes several problems of one condition. */
  readonly subject?: string;
  /**
   * ISO time from the database: every process that evaluates the condition finds the same problem. Without it the problem
   * is one of this process, and begins when it is first found.
   */
  readonly since?: string;
  readonly text: string;
  readonly facts?: Readonly<Record<string, string | number | null>>;
}

/** What a process watches. Alerts have its name. */
export interface Condition {
  readonly name: string;
  /** How long a problem must last before it is an alert; default 0. */
  readonly afterMs?: number;
  /** The current problems. A rejection means unknown: nothing opens and nothing is resolved. */
  find(): Promise<readonly Problem[]> | readonly Problem[];
}

const CHECK_AFTER_MS = 60_000;

/** A readiness check as a condition; null for a check that raises no alert. */
export function conditionOf(check: Check): Condition | null {
  const { name, alertAfterMs: afterMs = CHECK_AFTER_MS } = check;
  if (afterMs === null) return null;
  return {
    name,
    afterMs,
    async find() {
      const text = await (afterMs === 0 ? check.check() : faultOf(check));
      return text === null ? [] : [{ text }];
    },
  };
}
