import { type SignIn, signIns } from '@reelbook/contract/player/profile';
import { openTokens, type ReadToken } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { DAY_MS, HOUR_MS } from '@reelbook/ledger/calendar';
import type { Logger } from '@reelbook/runtime/log';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * Sessions of players. A login opens a family: all tokens of its refreshes. Each token lives TOKEN_HOURS, the family
 * FAMILY_DAYS. Wallet, sign-in and end are those of the token, under its HMAC. The table has one row per family, with its
 * name in the ledger and the generation of the live token: it can only end a session. An ended family has no row, and a
 * row that differs from the token is none of its session.
 */
const TOKEN_HOURS = 24;
const FAMILY_DAYS = 30;
/** Of rows; the token itself has its end. */
const LIVE = `refreshed_at > now() - interval '${TOKEN_HOURS} hours'
  and created_at > now() - interval '${FAMILY_DAYS} days'`;
/**
 * A refreshed token stays valid for this time: for requests in transit, and for tabs or retries that refresh it again,
 * which get the same successor. Its use after that time ends the family: two clients have the token.
 */
const GRACE_SECONDS = 30;
/** Live families of a wallet; a login beyond it ends the one refreshed longest ago. */
export const FAMILIES_PER_WALLET = 50;
/** Bounds the time for which another gateway accepts the token of an ended session. */
const CACHE_TTL_MS = 900;
const CACHED_MAX = 100_000;
/** Sessions of one query. */
const READ_MAX = 2_000;
/** Maximum expired rows removed per sweep. */
const SWEEP_ROWS_MAX = 10_000;

/** The token that was presented; its session is live. */
export type LiveSession = ReadToken<SignIn>;

export type Login = Pick<ReadToken<SignIn>, 'wallet' | 'signIn' | 'login'>;

export interface OpenedSession {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface ListedSession {
  readonly family: string;
  readonly signIn: SignIn;
  /** ISO 8601, as the next two. */
  readonly startedAt: string;
  readonly refreshedAt: string;
  readonly expiresAt: string;
}

export interface Sessions {
  /** The secret of a new session; the ledger records only its `name`. */
  draw(): { readonly secret: Buffer; readonly name: string };
  /** Opens the drawn session of a recorded login. */
  open(drawn: ReturnType<Sessions['draw']>, login: Login): Promise<OpenedSession>;
  /** The session of a live token, or null. Rejects if the database is unreachable. */
  find(token: string | null): Promise<LiveSession | null>;
  /** Like `find`, but never from the cache, which may have a session that another gateway has ended. */
  findNow(token: string | null): Promise<LiveSession | null>;
  /** Whether a session that `find` returned is still live. A token that was refreshed since then ends nothing. */
  isLive(token: string, session: LiveSession): Promise<boolean>;
  /** Those of the sessions whose token is no longer live. One query. */
  findEnded(sessions: readonly LiveSession[]): Promise<readonly LiveSession[]>;
  /** The successor of a live token, the same for each caller; the token itself at the end of its family. Null if it is dead. */
  refresh(token: string): Promise<OpenedSession | null>;
  /** Ends the session of a token, immediately on this gateway. */
  revoke(token: string): Promise<void>;
  /** Ends one session of the wallet, if it is live. */
  revokeOne(wallet: string, family: string): Promise<void>;
  /** Ends all sessions of the wallet. */
  revokeAll(wallet: string): Promise<void>;
  /** Live sessions of the wallet, the one refreshed last first. */
  list(wallet: string): Promise<readonly ListedSession[]>;
  /** Removes expired sessions. */
  sweep(): Promise<void>;
}

/** A token that was read, and its session, or null if that is dead. */
interface Cached {
  readonly known: LiveSession;
  readonly live: Promise<LiveSession | null>;
}

export const openPlayerTokens = (key: Buffer) =>
  openTokens({ key, purpose: 'token', naming: 'session', signIns });

export function openSessions(options: {
  readonly pool: pg.Pool;
  readonly key: Buffer;
  readonly log: Logger;
}): Sessions {
  const { pool } = options;
  const tokens = openPlayerTokens(options.key);
  const cache = openCache(options, tokens);

  return {
    draw: tokens.draw,
    async open({ secret, name }, login) {
      const startedAtMs = await insert(pool, name, login);
      const endsAtMs = startedAtMs + TOKEN_HOURS * HOUR_MS;
      const token = tokens.issue(secret, { ...login, startedAtMs, endsAtMs, generation: 0 });
      return { token, expiresAt: isoOf(endsAtMs) };
    },
    async find(token) {
      // A cached token was read before: its HMAC, a tenth of the cost of a request, is not computed again.
      return token === null ? null : (cache.cached(token) ?? cache.load(token));
    },
    findNow: async (token) => (token === null ? null : cache.load(token)),
    async isLive(token, session) {
      const live = cache.cached(token);
      if (live) return (await live) !== null;
      return (await findEnded(pool, [session])).length === 0;
    },
    findEnded: (sessions) => findEnded(pool, sessions),
    async refresh(token) {
      const known = tokens.read(token);
      const refreshed = known && (await advance(pool, known));
      if (!refreshed) {
        // The cache may not know yet that the grace has ended: the read ends the family of a reused token.
        await cache.load(token);
        return null;
      }
      const isSame = refreshed.generation === known.generation;
      return {
        token: isSame ? token : tokens.renew(token, refreshed),
        expiresAt: isoOf(refreshed.endsAtMs),
      };
    },
    async revoke(token) {
      const known = tokens.read(token);
      if (known) await end(pool, known);
      cache.delete(token);
    },
    async revokeOne(wallet, family) {
      await pool.query(`delete from sessions where wallet = $1 and family = decode($2, 'hex')`, [
        wallet,
        family,
      ]);
    },
    async revokeAll(wallet) {
      await pool.query(
        `delete from sessions where family in (select family from sessions
          where wallet = $1 order by family for update)`,
        [wallet],
      );
    },
    list: (wallet) => list(pool, wallet),
    async sweep() {
      await pool.query(
        `delete from sessions where family in (select family from sessions
          where refreshed_at < now() - interval '${TOKEN_HOURS} hours' limit $1)`,
        [SWEEP_ROWS_MAX],
      );
    },
  };
}

/** Reads sessions, and keeps them for a TTL. */
function openCache(
  { pool, log }: { readonly pool: pg.Pool; readonly log: Logger },
  tokens: ReturnType<typeof openPlayerTokens>,
) {
  // Promises: parallel requests of one token share one query, and the TTL starts before it.
  const cache = new LRUCache<string, Cached>({ max: CACHED_MAX, ttl: CACHE_TTL_MS });
  /** Used since they were loaded: the next query reads them as well, so that all sessions in use take about one query per TTL. */
  let used = new Map<string, Cached>();

  function load(token: string): Promise<LiveSession | null> {
    const known = tokens.read(token);
    if (!known) return Promise.resolve(null);
    const [others, start] = [[...used].filter(([one]) => one !== token), performance.now()];
    used = new Map();
    const reading = readRows(pool, [known, ...others.map(([, { known }]) => known)]);
    const live = reading.then(([row]) => liveOf(pool, { known, row, log }));
    cache.set(token, { known, live });
    live.catch(() => cache.delete(token));
    reading.then(
      ([, ...rows]) => {
        for (const [index, [one, before]] of others.entries()) {
          const [row, { known }] = [rows[index], before];
          // Not one that was ended meanwhile. What is dead is found when it is used: that may end its session.
          if (!row || !isLive(known, row) || cache.peek(one, { allowStale: true }) !== before)
            continue;
          cache.set(one, { known, live: Promise.resolve(known) }, { start });
        }
      },
      () => {},
    );
    return live;
  }

  function cached(token: string): Promise<LiveSession | null> | undefined {
    const found = cache.get(token);
    if (found && used.size < READ_MAX) used.set(token, found);
    return found?.live;
  }

  return { load, cached, delete: (token: string) => cache.delete(token) };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

const end = (pool: pg.Pool, { name }: Pick<LiveSession, 'name'>) =>
  pool.query(`delete from sessions where family = decode($1, 'hex')`, [name]);

/** @returns when the session started, by the clock of Postgres. */
async function insert(pool: pg.Pool, name: string, login: Login): Promise<number> {
  const { rows } = await pool.query<{ started_at_ms: number }>({
    name: 'open-session',
    text: `with ended as (
        delete from sessions where family in (select family from sessions
          where family in (select family from sessions where wallet = $2 and ${LIVE}
            order by refreshed_at desc offset $5) for update skip locked))
      insert into sessions (family, wallet, sign_in, login)
      values (decode($1, 'hex'), $2, $3, $4) returning ${msOf('created_at')} as started_at_ms`,
    values: [name, login.wallet, login.signIn, login.login, FAMILIES_PER_WALLET - 1],
  });
  const row = rows[0];
  assert(row, 'an insert returns its row');
  return row.started_at_ms;
}

const msOf = (time: string) => `floor(extract(epoch from ${time}) * 1000)::float8`;

/** The row of a token that has not ended, with the first five parameters from `valuesOf`. */
const OF_TOKEN = `family = decode($1, 'hex') and wallet = $2 and sign_in = $3 and login = $4
  and to_timestamp($5::float8 / 1000) > now() and ${LIVE}`;
const valuesOf = ({ name, wallet, signIn, login, endsAtMs }: LiveSession) => [
  name,
  wallet,
  signIn,
  login,
  endsAtMs,
];

/** The row of a session that has not ended. */
interface Row {
  readonly index: number;
  readonly generation: number;
  readonly in_grace: boolean;
}

/**
 * The rows of sessions, in their order. Only the database clock is read, so that the clock of this host does not matter. The
 * `limit` makes the planner use the index for each session, however many rows the table has.
 */
async function readRows(
  pool: pg.Pool,
  sessions: readonly LiveSession[],
): Promise<readonly (Row | undefined)[]> {
  const { rows } = await pool.query<Row>({
    name: 'read-sessions',
    text: `select index::int, generation, refreshed_at > now() - make_interval(secs => $6) as in_grace
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::float8[])
        with ordinality as held (name, wallet, sign_in, login, ends_at_ms, index),
      lateral (select generation, refreshed_at from sessions
        where family = decode(held.name, 'hex') and wallet = held.wallet and sign_in = held.sign_in
          and login = held.login and to_timestamp(held.ends_at_ms / 1000) > now() and ${LIVE}
        limit 1) as live`,
    values: [
      sessions.map(({ name }) => name),
      sessions.map(({ wallet }) => wallet),
      sessions.map(({ signIn }) => signIn),
      sessions.map(({ login }) => login),
      sessions.map(({ endsAtMs }) => endsAtMs),
      GRACE_SECONDS,
    ],
  });
  const found = new Map(rows.map((row) => [row.index - 1, row]));
  return sessions.map((_, index) => found.get(index));
}

const isLive = ({ generation }: LiveSession, row: Row) =>
  generation === row.generation || (generation === row.generation - 1 && row.in_grace);

/** The session of a token that is used, or null. Ends it if the token was refreshed before the grace. */
async function liveOf(
  pool: pg.Pool,
  {
    known,
    row,
    log,
  }: { readonly known: LiveSession; readonly row: Row | undefined; readonly log: Logger },
): Promise<LiveSession | null> {
  const { generation, wallet, name } = known;
  if (!row || generation > row.generation) return null;
  if (isLive(known, row)) return known;
  await end(pool, known);
  log.warn({ wallet, name }, 'a refreshed token was used again; its session has ended');
  return null;
}

async function findEnded(
  pool: pg.Pool,
  sessions: readonly LiveSession[],
): Promise<readonly LiveSession[]> {
  const rows = await readRows(pool, sessions);
  return sessions.filter((session, index) => {
    const row = rows[index];
    return !row || !isLive(session, row);
  });
}

/**
 * Advances the family once per generation. A caller that lost the race reads what the winner wrote: in a second
 * statement, because the snapshot of the first is older. Nothing changes when the token cannot live longer.
 * @returns the claims of the successor, or those of the token.
 */
async function advance(pool: pg.Pool, known: LiveSession): Promise<LiveSession | undefined> {
  const familyEndsAtMs = known.startedAtMs + FAMILY_DAYS * DAY_MS;
  // A time in the future, which no refresh writes, does not extend the token.
  const returned = `generation, ${msOf('least(refreshed_at, now())')} as refreshed_at_ms`;
  type Advanced = { readonly generation: number; readonly refreshed_at_ms: number };
  const advanced =
    known.endsAtMs < familyEndsAtMs &&
    (await pool.query<Advanced>({
      name: 'refresh-session',
      text: `update sessions set generation = generation + 1, refreshed_at = now()
        where ${OF_TOKEN} and generation = $6 returning ${returned}`,
      values: [...valuesOf(known), known.generation],
    }));
  let row = advanced ? advanced.rows[0] : undefined;
  if (!row) {
    const { rows } = await pool.query<Advanced>({
      name: 'refreshed-session',
      text: `select ${returned} from sessions where ${OF_TOKEN} and (generation = $6
        or (generation = $6 + 1 and refreshed_at > now() - make_interval(secs => $7)))`,
      values: [...valuesOf(known), known.generation, GRACE_SECONDS],
    });
    row = rows[0];
  }
  if (!row || row.generation === known.generation) return row && known;
  const tokenEndsAtMs = row.refreshed_at_ms + TOKEN_HOURS * HOUR_MS;
  const endsAtMs = Math.min(tokenEndsAtMs, familyEndsAtMs);
  return { ...known, generation: row.generation, endsAtMs };
}

async function list(pool: pg.Pool, wallet: string): Promise<readonly ListedSession[]> {
  const { rows } = await pool.query<ListedSession>(
    `select encode(family, 'hex') as family, sign_in as "signIn", created_at as "startedAt",
        refreshed_at as "refreshedAt", least(refreshed_at + interval '${TOKEN_HOURS} hours',
          created_at + interval '${FAMILY_DAYS} days') as "expiresAt"
      from sessions where wallet = $1 and ${LIVE}
      order by refreshed_at desc, family limit $2`,
    [wallet, FAMILIES_PER_WALLET],
  );
  return rows;
}
