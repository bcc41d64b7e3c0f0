import { type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import { isTerminal, SETTINGS } from './settings.ts';

export type { Logger };

/** Values under these keys are redacted, down to the depth below. */
const SECRET_KEYS = [
  'token',
  'authorization',
  'cookie',
  'password',
  'signature',
  'seed_key',
  'secret',
  'serverSeed',
  'server_seed',
  'connectionString',
  ...Object.entries(SETTINGS)
    .filter(([, { secret }]) => secret)
    .map(([name]) => name),
];
/** If LOG_LEVEL is not set. */
const LEVEL = 'info';
const SECRET_DEPTHS = ['', '*.', '*.*.'] as const;

/** Causes of causes that are logged. */
const CAUSES_MAX = 5;

/**
 * What is logged of an error. Other fields may be large or secret: a query timeout of `pg` has its client, with the cancel
 * key of the connection.
 */
function errorFields(error: unknown, causesMax = CAUSES_MAX): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { message, stack, code, cause } = error as Error & { readonly code?: unknown };
  return {
    type: error.constructor?.name,
    message,
    stack,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(cause === undefined || causesMax === 0 ? {} : { cause: errorFields(cause, causesMax - 1) }),
  };
}

const options = (name: string, level: string): LoggerOptions => ({
  name,
  level,
  base: { name },
  serializers: { err: (error: unknown) => errorFields(error) },
  redact: {
    paths: SECRET_DEPTHS.flatMap((depth) => SECRET_KEYS.map((key) => `${depth}${key}`)),
    censor: '[secret]',
  },
  timestamp: pino.stdTimeFunctions.isoTime,
});

/**
 * Opens the log of a process: JSON lines on standard output, readable text on a terminal. `sink` is for tests. Redacts
 * secrets under known keys; callers pass URLs through `withoutSecrets`.
 */
export function openLog(o: {
  name: string;
  level: string | null;
  sink?: { write(line: string): void };
}): Logger {
  const level = o.level ?? LEVEL;
  if (o.sink) return pino(options(o.name, level), o.sink);
  if (!isTerminal()) return pino(options(o.name, level));
  const sink = pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true });
  return pino(options(o.name, level), sink);
}

/** A URL or path without its password and without the value of a `token` query. */
export function withoutSecrets(url: string): string {
  return url
    .replace(/([?&]token=)[^&#]*/gi, '$1[secret]')
    .replace(/(:\/\/[^:/@]*:)[^@/]*@/, '$1[secret]@');
}
