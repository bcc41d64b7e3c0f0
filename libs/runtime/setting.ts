import { readFileSync, statSync } from 'node:fs';
import type { Parser } from './parsers.ts';

/** `NAME_FILE` names a file with the value of NAME, as container engines provide secrets. */
export const FILE_SUFFIX = '_FILE';
const FILE_BYTES_MAX = 64 * 1024;

export interface Setting<T> extends Parser<T> {
  readonly env: string;
  readonly meaning: string;
  /** Null without a default. */
  readonly fallback: string | null;
  /** Whether logs and messages must not contain its value. */
  readonly secret: boolean;
}

export function setting<T>(
  env: string,
  fallback: string | null,
  parser: Parser<T>,
  meaning: string,
): Setting<T> {
  return { ...parser, env, fallback, meaning, secret: false };
}

export function secretSetting<T>(env: string, parser: Parser<T>, meaning: string): Setting<T> {
  return { ...setting(env, null, parser, meaning), secret: true };
}

/** The value from the variable or its file; '' if neither is set. */
export function textOf(
  { env }: Setting<unknown>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const given = environment[env]?.trim() ?? '';
  const path = environment[env + FILE_SUFFIX]?.trim();
  if (!path) return given;
  if (given !== '') throw new Error(`and ${env} are both set`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > FILE_BYTES_MAX) throw new Error(`must be a file of up to ${FILE_BYTES_MAX} bytes`);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new Error(`must be a file that can be read, not ${path}`);
  }
}
