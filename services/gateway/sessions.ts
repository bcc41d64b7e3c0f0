import { hashOfToken, openTokens } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * Sessions of players. The table stores only a hash of each token. Valid sessions are cached for CACHE_TTL_MS: a session
 * that another process revoked may stay valid here for that time.
 */
const SESSION_HOURS = 24;
/** The old token stays valid this long after a refresh, for requests in transit. */
const GRACE_SECONDS = 30;
const CACHE_TTL_MS = 10_000;
const CACHED_MAX = 100_000;
/** Maximum expired rows removed per sweep. */
const SWEEP_ROWS_MAX = 10_000;

export interface OpenedSession {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface Sessions {
  /** Creates a token without a session; the ledger records only its `name`. */
  draw(): { readonly token: string; readonly name: string };
  /** Opens a session of the wallet for the token. */
  open(token: string, wallet: string): Promise<OpenedSession>;
  /** The wallet of a live session, or null. Rejects if the database is unreachable. */
  find(token: string | null): Promise<string | null>;
  /** Replaces a live session, which ends after GRACE_SECONDS. Null if it is dead. */
  replace(token: string): Promise<OpenedSession | null>;
  /** Ends a session immediately. */
  revoke(token: string): Promise<void>;
  /** Removes sessions that expired more than a day ago. */
  sweep(): Promise<void>;
}

interface Known {
  readonly wallet: string | null;
  readonly untilMs: number;
}

export function openSessions(options: { readonly pool: pg.Pool; readonly key: Buffer }): Sessions {
  const { pool, key } = options;
  const { draw, isOurs } = openTokens({ key, purpose: 'token', naming: 'session' });
  // With `fetch`, parallel requests of one token share one query.
  const cache = new LRUCache<string, Known>({
    max: CACHED_MAX,
    ttl: CACHE_TTL_MS,
    fetchMethod: (token) => read(pool, token),
  });

  const sessions: Sessions = {
    draw,
    async open(token, wallet) {
      const { rows } = await pool.query<{ expires_at: string }>({
        name: 'open-session',
        text: `insert into sessions (token_hash, wallet, expires_at)
          values ($1, $2, now() + make_interval(hours => $3)) returning expires_at`,
        values: [hashOfToken(token), wallet, SESSION_HOURS],
      });
      const row = rows[0];
      assert(row, 'an insert returns its row');
      return { token, expiresAt: row.expires_at };
    },
    async find(token) {
      if (token === null) return null;
      // A cached token is valid: its HMAC, a tenth of the cost of a request, is not computed again.
      const known = cache.get(token) ?? (isOurs(token) ? await cache.fetch(token) : undefined);
      return known && known.untilMs > Date.now() ? known.wallet : null;
    },
    async replace(token) {
      const wallet = await sessions.find(token);
      if (wallet === null) return null;
      const fresh = await sessions.open(sessions.draw().token, wallet);
      await end(pool, token, GRACE_SECONDS);
      cache.delete(token);
      return fresh;
    },
    async revoke(token) {
      await end(pool, token, 0);
      cache.delete(token);
    },
    async sweep() {
      await pool.query(
        `delete from sessions where token_hash in (select token_hash from sessions
          where expires_at < now() - interval '1 day' limit $1)`,
        [SWEEP_ROWS_MAX],
      );
    },
  };
  return sessions;
}

/** Never extends a session: an earlier end stays. */
async function end(pool: pg.Pool, token: string, graceSeconds: number): Promise<void> {
  await pool.query({
    name: 'end-session',
    text: `update sessions set revoked_at =
        least(coalesce(revoked_at, 'infinity'), now() + make_interval(secs => $2))
      where token_hash = $1`,
    values: [hashOfToken(token), graceSeconds],
  });
}

/** The remaining time is computed by the database clock, so that the clock of this host does not matter. */
async function read(pool: pg.Pool, token: string): Promise<Known> {
  const { rows } = await pool.query<{ wallet: string; left_ms: number }>({
    name: 'find-session',
    text: `select wallet, (1000 * extract(epoch from
        least(expires_at, coalesce(revoked_at, 'infinity')) - now()))::float8 as left_ms
      from sessions where token_hash = $1`,
    values: [hashOfToken(token)],
  });
  const row = rows[0];
  if (!row || row.left_ms <= 0) return { wallet: null, untilMs: Number.POSITIVE_INFINITY };
  return { wallet: row.wallet, untilMs: Date.now() + row.left_ms };
}
