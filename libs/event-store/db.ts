import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@reelbook/ledger/assert';
import pg from 'pg';
import { schemaFault } from './schema.ts';

/** `owner` is whoever the URL logs in as; the others are what processes may do, see migrations/0001_roles.sql. */
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
 * Statements of `app` are short and somebody waits for each; those of a projector carry a batch; owners migrate.
 * 0 is no limit.
 */
const STATEMENT_TIMEOUT_MS: Readonly<Record<Role, number>> = {
  owner: 0,
  app: 5_000,
  projector: 30_000,
};
/**
 * Beyond its own limit the server has this long to say so. Then the connection is taken for dead and thrown away: one
 * that a network swallowed would else hold its caller until the system gives up, which takes a quarter of an hour.
 */
const ANSWER_GRACE_MS = 2_000;
/** A connection that lies idle is asked for a sign of life after this. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/**
 * Longest wait for a lock. Appends wait for each other some milliseconds; one that waits longer waits for somebody who
 * forgot to end a transaction, and its caller is better told to come again.
 */
const LOCK_TIMEOUT_MS: Readonly<Record<Role, number>> = { owner: 0, app: 1_000, projector: 5_000 };

/** Positions, versions and counts are read as numbers; the ledger would have to hold 2^53 events to break that. */
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
// The text that was sealed, not a parse of it.
types.setTypeParser(pg.types.builtins.JSON, (text) => text);
const timestamp = (text: string) => new Date(text).toISOString();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestamp);

/**
 * Opens at most `max` connections on demand. `name` shows in pg_stat_activity. A statement that gets no answer in time
 * fails as unavailable. `unhurried` is for those who read the whole ledger: their statements may take as long as they
 * need.
 */
export function openPool(o: {
  url: string;
  role: Role;
  max: number;
  name: string;
  unhurried?: boolean;
}): pg.Pool {
  const statementTimeoutMs = o.unhurried ? 0 : STATEMENT_TIMEOUT_MS[o.role];
  const pool = new pg.Pool({
    connectionString: o.url,
    max: o.max,
    application_name: `reelbook-${o.name}`,
    // Without JIT: statements are short, and compiling a plan would cost more than running it.
    options: `${ROLE_OPTION[o.role]}-c jit=off -c idle_in_transaction_session_timeout=60000`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS[o.role],
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + ANSWER_GRACE_MS } : {}),
    // What is asked before the last answer came goes out at once. Each caller still waits for its own.
    pipeline: o.role === 'projector',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types,
  });
  // A connection that breaks is replaced on next use; the listeners only keep it from ending the process. The pool
  // itself hears idle ones; one that was just handed out, or was given back broken, has nobody else.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  dropIdleAfterSilence(pool);
  return pool;
}

/**
 * What swallowed one connection has swallowed those that lay beside it: without this each of them would cost somebody
 * the whole time limit once more. An idle connection that reports an error is thrown away by the pool.
 */
function dropIdleAfterSilence(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (error: Error | undefined, client) => {
    if (!error) idle.add(client);
    if (!error || !SILENCE.test(error.message)) return;
    for (const other of [...idle]) other.emit('error', error);
    idle.clear();
  });
}

/**
 * SQLSTATEs that say nothing about the statement: connection lost, rolled back for another's sake, out of resources,
 * locked, cancelled or shutting down, trouble of the machine, and a server that has become a standby.
 */
const TRANSIENT_STATE = /^(08|40|53|57|58|55P03|25006|25P03)/;
const NETWORK_CODE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/;
/** How the client words a statement that got no answer in time. */
const SILENCE = /Query read timeout/;
const CLIENT_MESSAGE =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i;

/** Whether an error says that the database is away or too busy, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    TRANSIENT_STATE.test(code) || NETWORK_CODE.test(code) || CLIENT_MESSAGE.test(error.message)
  );
}

/**
 * Resolves when the database answers, however long that takes: a process that is started before its database, or while
 * it is away, waits. Throws when the schema is not this build's, and when aborted.
 */
export function untilAvailable(pool: pg.Pool, o: Patience): Promise<void> {
  return retryWhileUnavailable(async () => {
    const fault = await schemaFault(pool);
    if (fault !== null) throw new Error(fault);
  }, o);
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Called with the first failure. */
  onAway(error: unknown): void;
}

/** Repeats `act` while it fails because the database is away or too busy. */
export async function retryWhileUnavailable<T>(act: () => Promise<T>, o: Patience): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!isUnavailable(error) || o.signal.aborted) throw error;
      if (tries === 1) o.onAway(error);
    }
    await sleep(TRY_AGAIN_MS, undefined, { signal: o.signal });
  }
}
