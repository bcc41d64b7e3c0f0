import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/**
 * The type of a setting. `parse` throws an Error whose message completes "<NAME> ...". `unit` and `bound` are columns of
 * docs/settings.md; `unit` may be empty.
 */
export interface Parser<T> {
  readonly parse: (text: string) => T;
  readonly unit: string;
  readonly bound: string;
}

const SECRET_BYTES = 32;
const TEXT_LENGTH_MAX = 2_000;

export const parser = <T>(bound: string, parse: (text: string) => T, unit = ''): Parser<T> => ({
  parse,
  unit,
  bound,
});

export const integer = (min: number, max: number, unit: string): Parser<number> =>
  parser(
    `${min} to ${max}`,
    (text) => {
      const value = Number(text);
      if (!/^-?\d+$/.test(text) || value < min || value > max) {
        throw new Error(`must be an integer from ${min} to ${max} (${unit}), not "${text}"`);
      }
      return value;
    },
    unit,
  );

export const text: Parser<string> = parser(`up to ${TEXT_LENGTH_MAX} characters`, (value) => {
  if (value.length > TEXT_LENGTH_MAX)
    throw new Error(`is longer than ${TEXT_LENGTH_MAX} characters`);
  return value;
});

export const folder: Parser<string> = parser('a path', (value) => resolve(text.parse(value)));

export const choice = <const T extends string>(...values: readonly T[]): Parser<T> =>
  parser(values.join(', '), (value) => {
    const found = values.find((one) => one === value);
    if (!found) throw new Error(`must be one of ${values.join(', ')}, not "${value}"`);
    return found;
  });

export const url = (...schemes: readonly string[]): Parser<string> => {
  const starts = schemes.map((scheme) => `${scheme}://`).join(' or ');
  return parser(`a URL: ${starts}`, (value) => {
    // The value may contain a password: no message repeats it.
    const scheme = /^([a-z+]+):\/\/[^/]/.exec(value)?.[1];
    if (!scheme || !schemes.includes(scheme)) {
      throw new Error(`must be a URL that starts with ${starts}`);
    }
    return text.parse(value);
  });
};

/** Normalized as a browser states it: lower case, no default port, no slash at the end. */
export const origin: Parser<string> = parser(
  'http:// or https://, a host, a port or none',
  (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : null;
    const given = value
      .toLowerCase()
      .replace(/\/$/, '')
      .replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2');
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.origin !== given) {
      throw new Error(
        `must be an origin without a path, such as https://play.example.com, not "${value}"`,
      );
    }
    return parsed.origin;
  },
);

export const secret: Parser<Buffer> = parser(`${SECRET_BYTES * 2} hexadecimal digits`, (value) => {
  if (!/^[0-9a-fA-F]+$/.test(value) || value.length !== SECRET_BYTES * 2) {
    throw new Error(
      `must be ${SECRET_BYTES * 2} hexadecimal digits (openssl rand -hex ${SECRET_BYTES})`,
    );
  }
  return Buffer.from(value, 'hex');
});

export const names: Parser<readonly string[]> = parser('names, comma-separated', (value) =>
  text
    .parse(value)
    .split(',')
    .map((name) => name.trim()),
);

const FIGURE_TEXT_MAX = 12;
export const fourTextsOrLive: Parser<'live' | readonly string[]> = parser(
  `"live", or four texts of 1 to ${FIGURE_TEXT_MAX} characters, comma-separated`,
  (value) => {
    if (value === 'live') return value;
    const texts = names.parse(value);
    if (texts.length !== 4 || texts.some((one) => one === '' || one.length > FIGURE_TEXT_MAX)) {
      throw new Error(
        `must be "live", or four texts of 1 to ${FIGURE_TEXT_MAX} characters, comma-separated`,
      );
    }
    return texts;
  },
);

const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and ranges, as Fastify's `trustProxy` takes them. */
export const networks: Parser<readonly string[]> = parser(
  `addresses or ranges by comma, or ${NETWORK_NAMES.join(', ')}`,
  (value) =>
    value.split(',').map((entry) => {
      const network = entry.trim();
      const [address = '', bits = '0', ...more] = network.split('/');
      const bitsMax = isIP(address) === 6 ? 128 : 32;
      const isRange =
        isIP(address) > 0 && /^\d+$/.test(bits) && Number(bits) <= bitsMax && more.length === 0;
      if (isRange || NETWORK_NAMES.includes(network)) return network;
      throw new Error(`must be ${networks.bound}, not "${network}"`);
    }),
);

/** `NAME_FILE` names a file with the value of NAME, as container engines provide secrets. */
export const FILE_SUFFIX = '_FILE';
const FILE_BYTES_MAX = 64 * 1024;

export interface Setting<T, Fallback = string | null> extends Parser<T> {
  readonly env: string;
  readonly meaning: string;
  /** Null without a default. */
  readonly fallback: Fallback;
  /** Whether logs and messages must not contain its value. */
  readonly secret: boolean;
}

export function setting<T, Fallback extends string | null = null>(
  env: string,
  parser: Parser<T>,
  meaning: string,
  fallback: Fallback = null as Fallback,
): Setting<T, Fallback> {
  return { ...parser, env, fallback, meaning, secret: false };
}

export function secretSetting<T>(
  env: string,
  parser: Parser<T>,
  meaning: string,
): Setting<T, null> {
  return { ...setting(env, parser, meaning), secret: true };
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
