import type { SignIn } from '@reelbook/contract/player/session';
import { openTokens, type ReadToken } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import type { Logger } from '@reelbook/runtime/log';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * Sessions of players. A login opens a family: all tokens of its refreshes. Each token lives TOKEN_HOURS, the family
 * FAMILY_DAYS. The table has one row per family, with the hash of the secret that its tokens share and the generation
 * of the live token. An ended family has no row.
 */
const TOKEN_HOURS = 24;
const FAMILY_DAYS = 30;
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
/** Maximum expired rows removed per sweep. */
const SWEEP_ROWS_MAX = 10_000;

export interface LiveSession {
  readonly wallet: string;
  readonly signIn: SignIn;
  /** Identifies the session; not a secret. */
  readonly family: string;
  /** Generation of the token that was presented. */
  readonly generation: number;
}

export interface OpenedSession {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface ListedSession {
  readonly family: string;
  readonly signIn: SignIn;
  readonly device: string | null;
  /** ISO 8601, as the next two. */
  readonly startedAt: string;
  readonly refreshedAt: string;
  readonly expiresAt: string;
}

export interface Sessions {
  /** Creates a token without a session; the ledger records only its `name`. */
  draw(): { readonly token: string; readonly name: string };
  /** Opens a session for a drawn token. */
  open(
    token: string,
    login: { readonly wallet: string; readonly signIn: SignIn; readonly device?: string | null },
  ): Promise<OpenedSession>;
  /** The session of a live token, or null. Rejects if the database is unreachable. */
  find(token: string | null): Promise<LiveSession | null>;
  /** Like `find`, but never from the cache, which may have a session that another gateway has ended. */
  findNow(token: string | null): Promise<LiveSession | null>;
  /** Those of the sessions whose token is no longer live. One query. */
  findEnded(sessions: readonly LiveSession[]): Promise<readonly LiveSession[]>;
  /** The successor of a live token, the same for each caller; the token itself at the end of its family. Null if it is dead. */
  refresh(token: string): Promise<OpenedSession | null>;
  /** Ends the session of a token, immediately on this gateway. */
  revoke(token: string): Promise<void>;
  /** Ends one session of the wallet, if it is live. */
  revokeOne(wallet: string, family: string): Promise<void>;
  /** Ends all sessions of the wallet, or those with that kind of sign-in. */
  revokeAll(wallet: string, options?: { readonly signIn?: SignIn }): Promise<void>;
  /** Live sessions of the wallet, the one refreshed last first. */
  list(wallet: string): Promise<readonly ListedSession[]>;
  /** Removes expired sessions. */
  sweep(): Promise<void>;
}

export function openSessions(options: {
  readonly pool: pg.Pool;
  readonly key: Buffer;
  readonly log: Logger;
}): Sessions {
  const { pool, log } = options;
  const tokens = openTokens({ key: options.key, purpose: 'token', naming: 'session' });
  // Promises: parallel requests of one token share one query, and the TTL starts before it.
  const cache = new LRUCache<string, Promise<LiveSession | null>>({
    max: CACHED_MAX,
    ttl: CACHE_TTL_MS,
  });

  function load(token: string): Promise<LiveSession | null> {
    const known = tokens.read(token);
    if (!known) return Promise.resolve(null);
    const loading = findLive(pool, known, log);
    cache.set(token, loading);
    loading.catch(() => cache.delete(token));
    return loading;
  }

  return {
    draw: tokens.draw,
    open: (token, login) => insert(pool, { ...login, token, hash: hashOf(token) }),
    async find(token) {
      // A cached token was read before: its HMAC, a tenth of the cost of a request, is not computed again.
      return token === null ? null : (cache.get(token) ?? load(token));
    },
    findNow: async (token) => (token === null ? null : load(token)),
    findEnded: (sessions) => findEnded(pool, sessions),
    async refresh(token) {
      const known = tokens.read(token);
      const refreshed = known && (await advance(pool, known));
      if (!refreshed) {
        // The cache may not know yet that the grace has ended: the read ends the family of a reused token.
        await load(token);
        return null;
      }
      return {
        token: tokens.withGeneration(token, refreshed.generation),
        expiresAt: refreshed.expires_at,
      };
    },
    async revoke(token) {
      await pool.query('delete from sessions where family = $1', [hashOf(token)]);
      cache.delete(token);
    },
    async revokeOne(wallet, family) {
      await pool.query(`delete from sessions where wallet = $1 and family = decode($2, 'hex')`, [
        wallet,
        family,
      ]);
    },
    async revokeAll(wallet, { signIn = null }: { signIn?: SignIn | null } = {}) {
      await pool.query(
        `delete from sessions where family in (select family from sessions
          where wallet = $1 and sign_in = coalesce($2, sign_in) order by family for update)`,
        [wallet, signIn],
      );
    },
    list: (wallet) => list(pool, wallet),
    async sweep() {
      await pool.query(
        `delete from sessions where family in (select family from sessions
          where expires_at < now() limit $1)`,
        [SWEEP_ROWS_MAX],
      );
    },
  };

  function hashOf(token: string): Buffer {
    const known = tokens.read(token);
    assert(known, 'the token is ours');
    return known.hash;
  }
}

async function insert(
  pool: pg.Pool,
  login: {
    readonly token: string;
    readonly hash: Buffer;
    readonly wallet: string;
    readonly signIn: SignIn;
    readonly device?: string | null;
  },
): Promise<OpenedSession> {
  const { rows } = await pool.query<{ expires_at: string }>({
    name: 'open-session',
    text: `with ended as (
        delete from sessions where family in (select family from sessions
          where family in (select family from sessions where wallet = $2 and expires_at > now()
            order by refreshed_at desc offset $6) for update skip locked))
      insert into sessions (family, wallet, sign_in, device, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(hours => $5)) returning expires_at`,
    values: [
      login.hash,
      login.wallet,
      login.signIn,
      login.device ?? null,
      TOKEN_HOURS,
      FAMILIES_PER_WALLET - 1,
    ],
  });
  const row = rows[0];
  assert(row, 'an insert returns its row');
  return { token: login.token, expiresAt: row.expires_at };
}

interface FoundRow {
  readonly wallet: string;
  readonly sign_in: SignIn;
  readonly generation: number;
  readonly in_grace: boolean;
}

/** Only the database clock is read, so that the clock of this host does not matter. */
async function findLive(
  pool: pg.Pool,
  { hash, generation }: ReadToken,
  log: Logger,
): Promise<LiveSession | null> {
  const { rows } = await pool.query<FoundRow>({
    name: 'find-session',
    text: `select wallet, sign_in, generation,
        refreshed_at > now() - make_interval(secs => $2) as in_grace
      from sessions where family = $1 and expires_at > now()`,
    values: [hash, GRACE_SECONDS],
  });
  const row = rows[0];
  if (!row || generation > row.generation) return null;
  const { wallet, sign_in: signIn } = row;
  const family = hash.toString('hex');
  const isLive =
    generation === row.generation || (generation === row.generation - 1 && row.in_grace);
  if (isLive) return { wallet, signIn, family, generation };
  await pool.query('delete from sessions where family = $1', [hash]);
  log.warn({ wallet, family }, 'a refreshed token was used again; its session has ended');
  return null;
}

/** The `limit` makes the planner use the index for each session, however many rows the table has. */
async function findEnded(
  pool: pg.Pool,
  sessions: readonly LiveSession[],
): Promise<readonly LiveSession[]> {
  const { rows } = await pool.query<{ index: number }>({
    name: 'find-ended-sessions',
    text: `select index::int from unnest($1::text[], $2::int[]) with ordinality
        as held (family, generation, index)
      left join lateral (select generation, refreshed_at from sessions
        where family = decode(held.family, 'hex') and expires_at > now() limit 1) as live on true
      where (live.generation = held.generation or (live.generation = held.generation + 1
        and live.refreshed_at > now() - make_interval(secs => $3))) is not true`,
    values: [
      sessions.map(({ family }) => family),
      sessions.map(({ generation }) => generation),
      GRACE_SECONDS,
    ],
  });
  return rows.flatMap(({ index }) => sessions[index - 1] ?? []);
}

interface Refreshed {
  readonly generation: number;
  readonly expires_at: string;
}

/**
 * Advances the family once per generation. A caller that lost the race reads what the winner wrote: in a second
 * statement, because the snapshot of the first is older. Nothing changes when the token cannot live longer.
 */
async function advance(
  pool: pg.Pool,
  { hash, generation }: ReadToken,
): Promise<Refreshed | undefined> {
  const advanced = await pool.query<Refreshed>({
    name: 'refresh-session',
    text: `update sessions set generation = generation + 1, refreshed_at = now(),
        expires_at = least(now() + make_interval(hours => $3), created_at + make_interval(days => $4))
      where family = $1 and generation = $2 and expires_at > now()
        and expires_at < created_at + make_interval(days => $4)
      returning generation, expires_at`,
    values: [hash, generation, TOKEN_HOURS, FAMILY_DAYS],
  });
  if (advanced.rows[0]) return advanced.rows[0];
  const { rows } = await pool.query<Refreshed>({
    name: 'refreshed-session',
    text: `select generation, expires_at from sessions
      where family = $1 and expires_at > now() and (generation = $2
        or (generation = $2 + 1 and refreshed_at > now() - make_interval(secs => $3)))`,
    values: [hash, generation, GRACE_SECONDS],
  });
  return rows[0];
}

async function list(pool: pg.Pool, wallet: string): Promise<readonly ListedSession[]> {
  const { rows } = await pool.query<ListedSession>(
    `select encode(family, 'hex') as family, sign_in as "signIn", device, created_at as "startedAt",
        refreshed_at as "refreshedAt", expires_at as "expiresAt"
      from sessions where wallet = $1 and expires_at > now()
      order by refreshed_at desc, family limit $2`,
    [wallet, FAMILIES_PER_WALLET],
  );
  return rows;
}
