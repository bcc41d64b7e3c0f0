import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@reelbook/ledger/assert';
import pg from 'pg';
import { schemaFault } from './migrate.ts';

/** `owner` is the login of the URL; the others are the roles of processes, see migrations/0001_roles.sql. */
export type Role = 'owner' | 'app' | 'projector';

const ROLE_OPTION: Readonly<Record<Role, string>> = {
  owner: '',
  app: '-c role=reelbook_app ',
  projector: '-c role=reelbook_projector ',
};

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
const TRY_AGAIN_MS = 250;
/**
 * Statements of `app` are short, and a caller waits for each; those of a projector write a batch; owners migrate.
 * 0 is no limit.
 */
const STATEMENT_TIMEOUT_MS: Readonly<Record<Role, number>> = {
  owner: 0,
  app: 5_000,
  projector: 30_000,
};
/**
 * How long after a statement's limit the server may take to report it. Then the connection counts as dead and is closed:
 * one that a network lost would otherwise block its caller until the system gives up after a quarter of an hour.
 */
const RESPONSE_GRACE_MS = 2_000;
/** An idle connection is probed after this time. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/**
 * Longest wait for a lock. Appends wait for each other for some milliseconds; a longer wait means that a transaction was
 * left open, and the caller should retry later.
 */
const LOCK_TIMEOUT_MS: Readonly<Record<Role, number>> = { owner: 0, app: 1_000, projector: 5_000 };

/** Positions, versions and counts are read as numbers; only a ledger of 2^53 events would exceed that. */
function safeInteger(text: string): number {
  const value = Number(text);
  assert(
    Number.isSafeInteger(value),
    `${text} is beyond the integers that JavaScript counts exactly`,
  );
  return value;
}

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, safeInteger);
// The sealed text, not a parsed value.
types.setTypeParser(pg.types.builtins.JSON, (text) => text);
/** ISO 8601, or the text of Postgres where JavaScript has no such time: a row with one must not stop those with others. */
const timestamp = (text: string) =>
  /^\d{4}-[^B]*$/.test(text) ? new Date(text).toISOString() : text;
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestamp);

/**
 * Opens at most `max` connections on demand. `name` shows in pg_stat_activity. A statement without a response in time
 * fails as unavailable. `noStatementTimeout` disables that limit, for reads of the entire ledger.
 */
export function openPool(options: {
  url: string;
  role: Role;
  max: number;
  name: string;
  noStatementTimeout?: boolean;
}): pg.Pool {
  const statementTimeoutMs = options.noStatementTimeout ? 0 : STATEMENT_TIMEOUT_MS[options.role];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: `reelbook-${options.name}`,
    // Without JIT: statements are short, and compiling a plan would cost more than running it.
    options: `${ROLE_OPTION[options.role]}-c jit=off -c idle_in_transaction_session_timeout=60000`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS[options.role],
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS } : {}),
    // Statements are sent without waiting for earlier responses. Each caller still awaits its own.
    pipeline: options.role === 'projector',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types,
  });
  // A broken connection is replaced on next use; the listeners only keep its error from ending the process. The pool
  // listens to idle connections; one that is checked out, or was returned broken, has no other listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  dropIdleAfterTimeout(pool);
  return pool;
}

/**
 * The fault that broke one connection probably broke the idle ones: without this each of them would cost a caller the
 * full time limit again. The pool removes an idle connection that emits an error.
 */
function dropIdleAfterTimeout(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (error: Error | undefined, client) => {
    if (!error) idle.add(client);
    if (!error || !READ_TIMEOUT.test(error.message)) return;
    for (const other of [...idle]) other.emit('error', error);
    idle.clear();
  });
}

/**
 * SQLSTATEs that do not depend on the statement: connection lost, rolled back because of another transaction, out of
 * resources, locked, cancelled or shutting down, machine fault, or a server that has become a standby.
 */
const TRANSIENT_STATE = /^(08|40|53|57|58|55P03|25006|25P03)/;
const NETWORK_CODE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/;
/** The client's messages for a statement without a response in time. */
const READ_TIMEOUT = /Query read timeout/;
const CLIENT_MESSAGE =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i;

/** Whether an error means that the database is away, refused (`known-head.ts`) or too busy, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    error.name === 'WentBack' ||
    TRANSIENT_STATE.test(code) ||
    NETWORK_CODE.test(code) ||
    CLIENT_MESSAGE.test(error.message)
  );
}

/**
 * Resolves when the database responds, however long that takes: a process that starts before its database waits. Throws
 * when the schema is not this build's, and when aborted.
 */
export function untilAvailable(pool: pg.Pool, options: Patience): Promise<void> {
  return retryWhileUnavailable(async () => {
    const fault = await schemaFault(pool);
    if (fault !== null) throw new Error(fault);
  }, options);
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Called with the first failure. */
  onAway(error: unknown): void;
}

/** Repeats `action` while it fails because the database is away or too busy. */
export async function retryWhileUnavailable<T>(
  action: () => Promise<T>,
  options: Patience,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await action();
    } catch (error) {
      if (!isUnavailable(error) || options.signal.aborted) throw error;
      if (tries === 1) options.onAway(error);
    }
    await sleep(TRY_AGAIN_MS, undefined, { signal: options.signal });
  }
}
