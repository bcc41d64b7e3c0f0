import { type Rate, toText } from '../money.ts';
import type { Config } from './config.ts';
import type { ConfigFault } from './fault-codes.ts';

/** The configuration as operators see and change it: a path and a text for each value. */

export interface Change {
  readonly path: string;
  readonly value: string;
}

export interface ChangedValue {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const RATE_DECIMALS_MAX = 9;
/** The one number that may be null: the current value does not show its type. */
const MINUTES_OR_NONE = 'protection.realityCheckMinutes';

/** With the values that an older configuration lacks. */
export const complete = (config: Config): Config => ({
  bigWinMinMinor: 0n,
  ...config,
  deposit: { dustBelowTokenMinor: 0n, ...config.deposit },
});

/** Every value with its path, the text that `editConfig` takes, and for an amount the amount with its unit. */
export function listConfig(
  config: Config,
): readonly { readonly path: string; readonly text: string; readonly meaning: string }[] {
  const rows: { path: string; text: string; meaning: string }[] = [];
  const walk = (value: unknown, path: string) => {
    if (isRate(value)) {
      const { numerator, denominator } = value;
      rows.push({ path, text: `${numerator}/${denominator}`, meaning: '' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key);
    } else if (typeof value === 'bigint') {
      const asset = /token/i.test(path) ? 'token' : 'points';
      rows.push({ path, text: value.toString(), meaning: toText(asset, value) });
    } else rows.push({ path, text: String(value), meaning: '' });
  };
  walk(complete(config), '');
  return rows;
}

/** The values that differ, in the texts of `listConfig`; every value if there was no configuration before. */
export function changedValues(before: Config | null, after: Config): readonly ChangedValue[] {
  const known = new Map(before ? listConfig(before).map(({ path, text }) => [path, text]) : []);
  return listConfig(after).flatMap(({ path, text }) => {
    const was = known.get(path) ?? '';
    return was === text ? [] : [{ path, before: was, after: text }];
  });
}

/** The configuration with one value changed, or why it cannot be. Only the syntax is checked: `findFaults` checks the values. */
export function editConfig(
  config: Config,
  path: string,
  text: string,
): { readonly config: Config } | { readonly fault: ConfigFault } {
  const known = listConfig(config).map((row) => row.path);
  if (!known.includes(path)) {
    return { fault: { code: 'setting-unknown', facts: { path, known: known.join(', ') } } };
  }
  const edited = structuredClone(complete(config)) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const part = keys.reduce((inner, key) => inner[key] as Record<string, unknown>, edited);
  const value = path === MINUTES_OR_NONE ? readMinutes(text) : readValue(part[last], text);
  if (value === undefined) {
    return { fault: { code: 'setting-value-invalid', facts: { path, value: text } } };
  }
  part[last] = value;
  return { config: edited as unknown as Config };
}

/** The configuration with all changes made, or all their faults. */
export function editAll(
  config: Config,
  changes: readonly Change[],
): { readonly config: Config } | { readonly faults: readonly ConfigFault[] } {
  const faults: ConfigFault[] = [];
  let edited = config;
  for (const { path, value } of changes) {
    const next = editConfig(edited, path, value);
    if ('fault' in next) faults.push(next.fault);
    else edited = next.config;
  }
  return faults.length > 0 ? { faults } : { config: edited };
}

/** The text as a value of the same type as the current one; undefined if it is not such a value. */
function readValue(current: unknown, text: string): unknown {
  switch (typeof current) {
    case 'bigint':
      return /^\d{1,30}$/.test(text) ? BigInt(text) : undefined;
    case 'number':
      return /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    default:
      if (isRate(current)) return readRate(text);
      return text === 'null' ? null : text;
  }
}

function readMinutes(text: string): number | null | undefined {
  if (text === 'null') return null;
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** `1/100`, or the same as a decimal: `0.01`. */
function readRate(text: string): Rate | undefined {
  const fraction = /^(\d{1,15})\/(\d{1,15})$/.exec(text);
  if (fraction) return { numerator: Number(fraction[1]), denominator: Number(fraction[2]) };
  const [, integer = '', decimals = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (integer === '' || decimals.length > RATE_DECIMALS_MAX) return undefined;
  return { numerator: Number(integer + decimals), denominator: 10 ** decimals.length };
}

function isRate(value: unknown): value is Rate {
  return typeof value === 'object' && value !== null && 'numerator' in value;
}
