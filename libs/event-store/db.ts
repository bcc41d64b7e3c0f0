import { connect } from 'node:net';
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
/** Of each of the two steps of a search for the leader; both and a connection fit into CONNECT_TIMEOUT_MS. */
const PROBE_TIMEOUT_MS = 2_000;
/** How long a connection waits for the synchronous standby. Below PROBE_TIMEOUT_MS, after which it is closed. */
const STANDBY_TIMEOUT_MS = 1_500;
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
 * Opens at most `max` connections on demand, to the leader if `url` has several hosts. `name` shows in pg_stat_activity. A
 * statement without a response in time fails as unavailable. `noStatementTimeout` disables that limit, for reads of the
 * entire ledger. `standby`: to a standby only.
 */
export function openPool(options: {
  url: string;
  role: Role;
  max: number;
  name: string;
  noStatementTimeout?: boolean;
  standby?: boolean;
}): pg.Pool {
  const statementTimeoutMs = options.noStatementTimeout ? 0 : STATEMENT_TIMEOUT_MS[options.role];
  const wanted = options.standby ? 'standby' : 'leader';
  const pool = new pg.Pool({
    connectionString: hostUrls(options.url)[0],
    Client: clientsOf(options.url, wanted),
    max: options.max,
    application_name: `reelbook-${options.name}`,
    // Without JIT: statements are short, and compiling a plan would cost more than running it. A commit is acknowledged when
    // it is on disk, here and on the synchronous standby, whatever is set for the role, the database or the server.
    options: `${ROLE_OPTION[options.role]}-c jit=off -c synchronous_commit=on -c idle_in_transaction_session_timeout=60000`,
    connectionTimeoutMillis: options.standby ? PROBE_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS[options.role],
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS } : {}),
    // Statements are sent without waiting for earlier responses. Each caller still awaits its own.
    pipeline: options.role === 'projector' || options.standby === true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types,
  });
  // A broken connection is replaced on next use; the listener only keeps its error from ending the process.
  pool.on('error', () => {});
  dropOthersWithBroken(pool);
  return pool;
}

/** A URL for each host of one in libpq's form: `postgres://user:password@host1:5432,host2:5432/ledger`. */
export function hostUrls(url: string): readonly string[] {
  const parts = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/.exec(url);
  if (!parts) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => before + host + after);
}

interface Host {
  readonly host: string;
  readonly port: number;
}

type HostRole = 'leader' | 'standby';

/**
 * Connections to the host of the URL, or to the leader among several, as libpq's `target_session_attrs=read-write` finds it.
 * No connection is used before everything that it can see is on the synchronous standby: after a crash or a failover,
 * Postgres shows commits that it has not acknowledged.
 */
function clientsOf(url: string, wanted: HostRole): new () => pg.Client {
  const urls = hostUrls(url);
  // The URL of one server may also be that of a standby, for commands that only read.
  const isStrict = urls.length > 1 || wanted === 'standby';
  let found: Promise<Host> | null = null;
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      // The pool listens to idle connections only.
      this.on('error', () => {});
      this.on('notice', ({ routine }) => {
        if (routine === WAIT_FOR_STANDBY) this.emit('error', notReplicated());
      });
    }

    /** Called by the pool, which limits the time of all this. */
    override connect(callback?: (error: never, client: never) => void): Promise<never> {
      const connected = this.#connectToHost().then(
        () => this as never,
        (error) => {
          found = null;
          void this.end().catch(() => {});
          throw error;
        },
      );
      if (!callback) return connected;
      connected.then(
        (client) => callback(null as never, client),
        (error) => callback(error as never, undefined as never),
      );
      return undefined as never;
    }

    async #connectToHost(): Promise<void> {
      if (urls.length > 1) {
        found ??= findHost(urls, wanted);
        Object.assign(this, await found);
      }
      await super.connect();
      const role = await untilReplicated(this);
      if (isStrict && role !== wanted) throw isOther(role);
    }
  };
}

/** The first host that commits, or that is a standby. Not an old leader that has not noticed it: no standby follows it. */
async function findHost(urls: readonly string[], wanted: HostRole): Promise<Host> {
  try {
    return await Promise.any(urls.map((url) => probe(url, wanted)));
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find(isUnavailable) ?? errors[0];
  }
}

async function probe(url: string, wanted: HostRole): Promise<Host> {
  const client = new pg.Client({
    ...{ connectionString: url, application_name: 'reelbook-probe' },
    ...{ connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS },
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const role = await untilReplicated(client);
    if (role !== wanted) throw isOther(role);
    return { host: client.host, port: client.port };
  } finally {
    void client.end().catch(() => {});
  }
}

/**
 * Resolves when the synchronous standby, if there is one, has everything that the server has committed. Reading does not
 * wait for it: Postgres shows a commit whose wait for the standby was ended by a signal. Rejects as unavailable if the standby
 * does not answer in time. The wait is then cancelled, which loses nothing: its message is empty. Postgres would go on after
 * its client has left, and the waits of all attempts would take the connections that a returning node needs.
 */
export async function untilReplicated(db: pg.Pool | pg.Client): Promise<HostRole> {
  const client = db instanceof pg.Pool ? await db.connect() : db;
  let isCancelled = false;
  const note = ({ routine }: { readonly routine?: string | undefined }) => {
    if (routine === WAIT_FOR_STANDBY) isCancelled = true;
  };
  client.on('notice', note);
  const timer = setTimeout(() => {
    // The request may arrive after this statement has ended: the connection gets no other one.
    isCancelled = true;
    cancelStatement(client);
  }, STANDBY_TIMEOUT_MS);
  try {
    const { rows } = await client.query<{ role: HostRole }>(
      `select case
        when pg_is_in_recovery() then 'standby'
        when current_setting('synchronous_standby_names') = '' then 'leader'
        -- A commit waits for all before it.
        when pg_logical_emit_message(true, 'reelbook', '') is not null then 'leader'
      end as role`,
    );
    if (isCancelled) throw notReplicated();
    return rows[0]?.role ?? 'standby';
  } finally {
    clearTimeout(timer);
    client.off('notice', note);
    if (db instanceof pg.Pool) (client as pg.PoolClient).release(isCancelled);
  }
}

/** Sends the CancelRequest of Postgres' protocol for a connection: a message of its own, which takes no connection. */
function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as pg.Client & Record<string, number>;
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, 80_877_102, processID, secretKey].entries())
    request.writeInt32BE(value ?? 0, index * 4);
  const socket = connect(
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
  );
  socket.on('error', () => {}).end(request);
}

/** The function of Postgres in which a commit waits for its standby. It warns when a signal ends that wait. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

const withState = (message: string, code: string) => Object.assign(new Error(message), { code });
export const isOther = (role: HostRole) => withState(`the database is a ${role}`, '25006');
/** The commit is on the leader only: a failover could lose it. */
const notReplicated = () => withState('the wait for the standby was cancelled', '57014');

/** The host of the last new connection of a pool. */
const leaders = new WeakMap<pg.Pool, string>();
export const leaderOf = (pool: pg.Pool): string | undefined => leaders.get(pool);

/**
 * What broke one connection probably broke the others: without this each of them would cost a caller the full time limit
 * again, or act with a server that does not lead any more. The pool removes an idle connection that emits an error; one that is in
 * use is closed when it is released, unless a statement took too long.
 */
function dropOthersWithBroken(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  const used = new Set<pg.PoolClient>();
  const outdated = new WeakSet<pg.PoolClient>();
  const drop = (error: Error) => {
    for (const other of [...idle]) other.emit('error', error);
    idle.clear();
    if (!TOO_LATE.test(error.message)) for (const other of used) outdated.add(other);
  };
  pool.on('connect', (client) => {
    const [before, host] = [leaders.get(pool), hostOf(client)];
    if (before !== undefined && host !== before) drop(isOther('standby'));
    leaders.set(pool, host);
  });
  pool.on('acquire', (client) => {
    idle.delete(client);
    used.add(client);
  });
  pool.on('remove', (client) => {
    idle.delete(client);
    used.delete(client);
  });
  pool.on('release', (error: Error | undefined, client) => {
    used.delete(client);
    if (error && BROKEN.test(error.message)) drop(error);
    // The pool keeps no client that has ended.
    else if (!error && outdated.has(client)) void (client as pg.Client).end().catch(() => {});
    else if (!error) idle.add(client);
  });
}

const hostOf = (client: pg.ClientBase) => {
  const { host, port } = client as pg.Client;
  return `${host}:${port}`;
};

/**
 * SQLSTATEs that do not depend on the statement: connection lost, rolled back because of another transaction, out of
 * resources, locked, cancelled or shutting down, machine fault, or a server that has become a standby.
 */
const TRANSIENT_STATE = /^(08|40|53|57|58|55P03|25006|25P03)/;
const NETWORK_CODE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ENOTFOUND|ETIMEDOUT|ENOENT|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/;
/** A statement without a response in time, a server that does not lead, and a ledger that went back. */
const TOO_LATE = /Query read timeout/;
const BROKEN = /Query read timeout|read-only transaction|the database is a|the ledger went back/;
const CLIENT_MESSAGE =
  /Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i;

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
