import { hashOfToken, openTokens } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * Sessions of players. The table holds only a hash of each token. A session found valid is believed for
 * CACHE_TTL_MS: that long may one revoked by another process live on here.
 */
const SESSION_HOURS = 24;
/** Requests already under way with the old token may still arrive after a refresh. */
const GRACE_SECONDS = 30;
const CACHE_TTL_MS = 10_000;
const CACHED_MAX = 100_000;
/** Rows long dead are removed, so many at a time. */
const SWEEP_ROWS_MAX = 10_000;

export interface OpenedSession {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface Sessions {
  /** Draws a token that is no session yet; `name` is what the ledger may know of it. */
  draw(): { readonly token: string; readonly name: string };
  /** Makes a drawn token a session of the wallet. */
  open(token: string, wallet: string): Promise<OpenedSession>;
  /** The wallet of a live session, or null. Rejects when the database is away: that is no dead session. */
  find(token: string | null): Promise<string | null>;
  /** A new session in place of a live one, which ends after a grace. Null when it is dead. */
  replace(token: string): Promise<OpenedSession | null>;
  /** Ends a session at once. */
  revoke(token: string): Promise<void>;
  /** Removes sessions that ended a day ago. */
  sweep(): Promise<void>;
}

interface Known {
  readonly wallet: string | null;
  readonly untilMs: number;
}

export function openSessions(o: { readonly pool: pg.Pool; readonly key: Buffer }): Sessions {
  const { pool, key } = o;
  const { draw, isOurs } = openTokens({ key, purpose: 'token', naming: 'session' });
  // `fetch` lets a hundred parallel requests of one player share one look-up.
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
      // What is known was ours once: its seal, a tenth of a request's cost, need not be computed again.
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

/** Never lengthens a life: a session already ending keeps its end. */
async function end(pool: pg.Pool, token: string, graceSeconds: number): Promise<void> {
  await pool.query({
    name: 'end-session',
    text: `update sessions set revoked_at =
        least(coalesce(revoked_at, 'infinity'), now() + make_interval(secs => $2))
      where token_hash = $1`,
    values: [hashOfToken(token), graceSeconds],
  });
}

/** How long it lives is measured by the database's clock, so that ours may be wrong. */
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
