/**
 * Every setting of every process: the only reader of the environment. A wrong or missing setting ends the start
 * with all faults at once, so that nobody mends them one restart at a time.
 */
import { resolve } from 'node:path';

/** What a text must be. `parse` throws an Error whose message completes "<NAME> ...". */
interface Setting<T> {
  readonly env: string;
  readonly meaning: string;
  /** Shown by --help; null where there is no default. */
  readonly fallback: string | null;
  parse(text: string): T;
}

const SECRET_BYTES = 32;
const TEXT_LENGTH_MAX = 2_000;

const integer = (min: number, max: number, unit: string) => (text: string) => {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max} (${unit}), not "${text}"`);
  }
  return value;
};
const text = (value: string) => {
  if (value.length > TEXT_LENGTH_MAX)
    throw new Error(`is longer than ${TEXT_LENGTH_MAX} characters`);
  return value;
};
const folder = (value: string) => resolve(text(value));
const choice =
  <const T extends string>(...values: readonly T[]) =>
  (value: string): T => {
    const found = values.find((one) => one === value);
    if (!found) throw new Error(`must be one of ${values.join(', ')}, not "${value}"`);
    return found;
  };
const url =
  (...schemes: readonly string[]) =>
  (value: string) => {
    // The value may hold a password: no message repeats it.
    const scheme = /^([a-z+]+):\/\/[^/]/.exec(value)?.[1];
    if (!scheme || !schemes.includes(scheme)) {
      throw new Error(
        `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
      );
    }
    return text(value);
  };
const secret = (value: string) => {
  if (!/^[0-9a-fA-F]+$/.test(value) || value.length !== SECRET_BYTES * 2) {
    throw new Error(
      `must be ${SECRET_BYTES * 2} hexadecimal digits (openssl rand -hex ${SECRET_BYTES})`,
    );
  }
  return Buffer.from(value, 'hex');
};
const names = (value: string) =>
  text(value)
    .split(',')
    .map((name) => name.trim());

const FIGURE_TEXT_MAX = 12;
const fourTextsOrLive = (value: string): 'live' | readonly string[] => {
  if (value === 'live') return value;
  const texts = names(value);
  if (texts.length !== 4 || texts.some((one) => one === '' || one.length > FIGURE_TEXT_MAX)) {
    throw new Error(`must be "live", or four texts of 1 to ${FIGURE_TEXT_MAX} characters by comma`);
  }
  return texts;
};

function setting<T>(
  env: string,
  fallback: string | null,
  parse: (text: string) => T,
  meaning: string,
): Setting<T> {
  return { env, fallback, parse, meaning };
}

export const SETTINGS = {
  port: setting(
    'PORT',
    '8080',
    integer(0, 65_535, 'a TCP port'),
    'port of the player site, API and /ws; 0 takes any',
  ),
  host: setting('HOST', '127.0.0.1', text, 'address to listen on; 0.0.0.0 opens it to the network'),
  dataDir: setting(
    'DATA_DIR',
    '.reelbook',
    folder,
    'folder of the standalone: database, keys, lock',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    null,
    url('postgres', 'postgresql'),
    'Postgres 15 or newer that holds the book',
  ),
  natsUrl: setting(
    'NATS_URL',
    null,
    url('nats', 'tls', 'ws', 'wss'),
    'NATS with JetStream, the courier',
  ),
  solanaRpcUrl: setting(
    'SOLANA_RPC_URL',
    null,
    url('http', 'https'),
    'Solana RPC; set, it replaces the local chain (and its welcome points)',
  ),
  seedKey: setting('SEED_KEY', null, secret, 'key that server seeds are encrypted with at rest'),
  seedKeyId: setting(
    'SEED_KEY_ID',
    null,
    text,
    'name of SEED_KEY, kept with each seed; none: a fingerprint of the key',
  ),
  sessionKey: setting('SESSION_KEY', null, secret, 'key that session tokens are hashed with'),
  receiptKey: setting(
    'RECEIPT_KEY',
    null,
    secret,
    'secret ed25519 key that receipts of rounds are signed with',
  ),
  sealEveryEvents: setting(
    'SEAL_EVERY_EVENTS',
    '4096',
    integer(16, 16_384, 'events'),
    'events after which the auditor seals the book',
  ),
  sealEveryMinutes: setting(
    'SEAL_EVERY_MINUTES',
    '10',
    integer(1, 1_440, 'minutes'),
    'minutes after which the auditor seals what is not sealed yet',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    null,
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'least level that is logged: fatal, error, warn, info, debug, trace, silent',
  ),
  poolMax: setting(
    'POOL_MAX',
    '10',
    integer(2, 200, 'connections'),
    'most connections of a process to Postgres',
  ),
  projections: setting(
    'PROJECTIONS',
    null,
    names,
    'projections this projector works on, by comma; none: all',
  ),
  webRoot: setting(
    'WEB_ROOT',
    null,
    folder,
    'folder of the built player app that the gateway serves',
  ),
  homeFigures: setting(
    'HOME_FIGURES',
    '10K+,1M+,24/7,99.9%',
    fourTextsOrLive,
    'the four figures of the home page: players, distributed, availability and uptime as texts; "live" counts in the ledger',
  ),
  testDatabaseUrl: setting(
    'TEST_DATABASE_URL',
    null,
    url('postgres', 'postgresql'),
    'Postgres for the tests, as a superuser; none: an embedded one',
  ),
  testOutageS: setting(
    'TEST_OUTAGE_S',
    '3',
    integer(1, 600, 'seconds'),
    'how long the tests keep a server away',
  ),
} as const;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;
type Value<K extends SettingName> = ReturnType<Table[K]['parse']>;
type Defaulted =
  | 'port'
  | 'host'
  | 'dataDir'
  | 'sealEveryEvents'
  | 'sealEveryMinutes'
  | 'poolMax'
  | 'homeFigures'
  | 'testOutageS';

/** Settings without a default are null where they are not set, unless the reader required them. */
export type Settings<Required extends SettingName = never> = {
  readonly [K in SettingName]: K extends Defaulted | Required ? Value<K> : Value<K> | null;
};

export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Wrong settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/**
 * Reads all settings; the `required` ones must be set. An empty text counts as not set.
 * Throws SettingsError with every fault.
 */
export function readSettings<const R extends SettingName = never>(
  required: readonly R[] = [],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings<R> {
  const faults: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const one: Setting<unknown> = SETTINGS[name];
    const given = environment[one.env]?.trim() || one.fallback;
    values[name] = null;
    if (given === null) {
      if ((required as readonly SettingName[]).includes(name)) {
        faults.push(`${one.env} must be set: ${one.meaning}`);
      }
      continue;
    }
    try {
      values[name] = one.parse(given);
    } catch (error) {
      faults.push(`${one.env} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return values as Settings<R>;
}

const MINUTE_MS = 60_000;

/** When the auditor seals: after so many events, or when the oldest unsealed one is of that age. */
export function sealTermsOf(settings: {
  readonly sealEveryEvents: number;
  readonly sealEveryMinutes: number;
}): { readonly everyEvents: number; readonly everyMs: number } {
  const { sealEveryEvents: everyEvents, sealEveryMinutes } = settings;
  return { everyEvents, everyMs: sealEveryMinutes * MINUTE_MS };
}

/** The table as text, for --help: one line a setting. */
export function describeSettings(wanted: readonly SettingName[]): string {
  const rows = wanted.map((name) => SETTINGS[name]);
  const width = Math.max(...rows.map((row) => row.env.length));
  return rows
    .map(
      (row) =>
        `  ${row.env.padEnd(width)}  ${row.meaning}${row.fallback ? ` (${row.fallback})` : ''}`,
    )
    .join('\n');
}

/** Colours and pretty logs are for people: true where standard output is a terminal. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** The folders in which programs are looked for. */
export function programPath(): readonly string[] {
  return (process.env.PATH ?? '').split(':').filter(Boolean);
}

/** Whether an npm script started this process, and is its parent for as long as it runs. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}
