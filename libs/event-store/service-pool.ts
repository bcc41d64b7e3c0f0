import type pg from 'pg';
import { clockChecks } from './clock.ts';
import { openPool, type Patience, type Role, untilAvailable } from './db.ts';
import { integrityCheck } from './integrity.ts';
import { watchHead } from './known-head.ts';
import { ledgerCheck } from './read-log.ts';

/** The part of a service of libs/runtime that this needs. */
interface Pooling {
  readonly settings: { readonly poolMax: number };
  readonly signal: AbortSignal;
  fail(error: unknown): void;
  add(
    name: string,
    part: {
      close?(): Promise<void>;
      readonly checks?: readonly {
        readonly name: string;
        readonly optional?: boolean;
        check(): Promise<string | null>;
      }[];
    },
  ): void;
}
interface Opening extends Pooling {
  readonly log: { warn(about: object, text: string): void };
  readonly settings: { readonly databaseUrl: string; readonly poolMax: number };
}
interface PoolOptions {
  readonly role: Role;
  readonly name: string;
  readonly max?: number;
}

/** A pool that is closed with its service, and refuses a ledger that went back. */
export function addPool(
  service: Pooling,
  options: PoolOptions & { readonly url: string },
): pg.Pool {
  const pool = openPool({ max: service.settings.poolMax, ...options });
  watchHead(pool, service);
  service.add(`pool of the ${options.name}`, { close: () => pool.end() });
  return pool;
}

/** The pool of a service, part of its readiness. Waits for a database that is away. */
export async function openServicePool(service: Opening, options: PoolOptions): Promise<pg.Pool> {
  const pool = addPool(service, { ...options, url: service.settings.databaseUrl });
  const integrity = options.role === 'app' ? [integrityCheck(pool)] : [];
  service.add('ledger', { checks: [ledgerCheck(pool), ...clockChecks(pool), ...integrity] });
  await untilAvailable(pool, patienceOf(service));
  return pool;
}

export function patienceOf({ signal, log }: Pick<Opening, 'signal' | 'log'>): Patience {
  const onAway = (error: unknown) =>
    log.warn({ err: error }, 'the database is away; waiting for it');
  return { signal, onAway };
}
