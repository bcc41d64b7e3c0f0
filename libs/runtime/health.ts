import { within } from './alarm.ts';

/** A dependency of a process. `check` rejects or returns a reason while the dependency is unavailable. */
export interface Check {
  readonly name: string;
  /** Reported, but does not make the process unready. */
  readonly optional?: boolean;
  /** Its reason is not for the public: it helps an intruder. */
  readonly isPrivate?: boolean;
  check(): Promise<string | null> | string | null;
}

export interface Health {
  readonly ok: boolean;
  /** Per check: null, or the fault. */
  readonly checks: Readonly<Record<string, string | null>>;
}

/** A check of a worker that reports its own failure. */
export function workerCheck(
  name: string,
  status: () => { readonly failing: string | null },
): Check {
  return { name, check: () => status().failing };
}

const CHECK_TIMEOUT_MS = 3_000;

/** Runs all checks in parallel; a timeout is a failure. */
export async function checkHealth(checks: readonly Check[]): Promise<Health> {
  const results = await Promise.all(checks.map(async (one) => [one, await faultOf(one)] as const));
  return {
    ok: results.every(([{ optional }, fault]) => fault === null || optional),
    checks: Object.fromEntries(results.map(([{ name }, fault]) => [name, fault])),
  };
}

/** The reason of a failure, or null. A timeout is a failure. */
async function faultOf(one: Check): Promise<string | null> {
  try {
    const fault = await within(CHECK_TIMEOUT_MS, Promise.resolve(one.check()));
    return fault === undefined ? `no response in ${CHECK_TIMEOUT_MS} ms` : fault;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
