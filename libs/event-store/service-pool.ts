import type pg from 'pg';
import { openPool, type Patience, type Role, untilAvailable } from './db.ts';
import { bookCheck } from './read-log.ts';

/** What is needed of a service of libs/runtime. */
interface Opening {
  readonly signal: AbortSignal;
  readonly log: { warn(about: object, text: string): void };
  readonly settings: { readonly databaseUrl: string; readonly poolMax: number };
  add(
    name: string,
    part: { close(): Promise<void>; readonly checks: readonly ReturnType<typeof bookCheck>[] },
  ): void;
}

/** The pool of a service: closed with it, asked by its readiness. Waits for a database that is away. */
export async function openServicePool(
  service: Opening,
  o: { readonly role: Role; readonly name: string; readonly max?: number },
): Promise<pg.Pool> {
  const { databaseUrl: url, poolMax } = service.settings;
  const pool = openPool({ url, max: poolMax, ...o });
  service.add('pool', { close: () => pool.end(), checks: [bookCheck(pool)] });
  await untilAvailable(pool, patienceOf(service));
  return pool;
}

export function patienceOf({ signal, log }: Pick<Opening, 'signal' | 'log'>): Patience {
  const onAway = (error: unknown) =>
    log.warn({ err: error }, 'the database is away; waiting for it');
  return { signal, onAway };
}
