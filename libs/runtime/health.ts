/** One thing that a process needs to do its work. `check` rejects or answers a reason while it cannot. */
export interface Check {
  readonly name: string;
  /** What it can do without for a while: told, and no reason to be unready. */
  readonly spare?: boolean;
  check(): Promise<string | null> | string | null;
}

export interface Health {
  readonly ok: boolean;
  /** Per check: null when fine, else why not. */
  readonly checks: Readonly<Record<string, string | null>>;
}

/** Of a worker, which knows by itself what keeps it from its work. */
export function workerCheck(
  name: string,
  status: () => { readonly failing: string | null },
): Check {
  return { name, check: () => status().failing };
}

const CHECK_TIMEOUT_MS = 3_000;

/** Runs all checks at the same time; one that does not answer in time counts as failed. */
export async function checkHealth(checks: readonly Check[]): Promise<Health> {
  const results = await Promise.all(checks.map(async (one) => [one, await within(one)] as const));
  return {
    ok: results.every(([{ spare }, fault]) => fault === null || spare),
    checks: Object.fromEntries(results.map(([{ name }, fault]) => [name, fault])),
  };
}

async function within(one: Check): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer in ${CHECK_TIMEOUT_MS} ms`), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([one.check(), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
