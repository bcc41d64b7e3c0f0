import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/**
 * Sessions. A token is base64url of 16 random bytes and 16 bytes of their HMAC, so a forged one is told without a
 * look into the database; the table holds only a hash of it. A session found valid is believed for CACHE_TTL_MS:
 * that long may one revoked by another process live on here.
 */
const SESSION_HOURS = 24;
/** Requests already under way with the old token may still arrive after a refresh. */
const GRACE_SECONDS = 30;
const CACHE_TTL_MS = 10_000;
const CACHED_MAX = 100_000;
/** Rows long dead are removed, so many at a time. */
const SWEEP_ROWS_MAX = 10_000;
const ID_BYTES = 16;
const MAC_BYTES = 16;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export interface OpenedSession {
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface Sessions {
  /** Draws a token that is no session yet; `name` is what the book may know of it. */
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
  assert(o.key.length === 32, 'the session key has 32 bytes');
  const { pool } = o;
  const keyed = (purpose: string, data: Buffer | string) =>
    createHmac('sha256', o.key).update(purpose).update(data).digest();
  // `fetch` lets a hundred parallel requests of one player share one look-up.
  const cache = new LRUCache<string, Known>({
    max: CACHED_MAX,
    ttl: CACHE_TTL_MS,
    fetchMethod: (token) => read(pool, token),
  });

  function isOurs(token: string): boolean {
    if (!TOKEN_PATTERN.test(token)) return false;
    const bytes = Buffer.from(token, 'base64url');
    const mac = keyed('token', bytes.subarray(0, ID_BYTES)).subarray(0, MAC_BYTES);
    return timingSafeEqual(bytes.subarray(ID_BYTES), mac);
  }

  const sessions: Sessions = {
    draw() {
      const id = randomBytes(ID_BYTES);
      const mac = keyed('token', id).subarray(0, MAC_BYTES);
      const token = Buffer.concat([id, mac]).toString('base64url');
      return { token, name: keyed('session', token).toString('hex') };
    },
    async open(token, wallet) {
      const { rows } = await pool.query<{ expires_at: string }>({
        name: 'open-session',
        text: `insert into sessions (token_hash, wallet, expires_at)
          values ($1, $2, now() + make_interval(hours => $3)) returning expires_at`,
        values: [hashOf(token), wallet, SESSION_HOURS],
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
    values: [hashOf(token), graceSeconds],
  });
}

/** How long it lives is measured by the database's clock, so that ours may be wrong. */
async function read(pool: pg.Pool, token: string): Promise<Known> {
  const { rows } = await pool.query<{ wallet: string; left_ms: number }>({
    name: 'find-session',
    text: `select wallet, (1000 * extract(epoch from
        least(expires_at, coalesce(revoked_at, 'infinity')) - now()))::float8 as left_ms
      from sessions where token_hash = $1`,
    values: [hashOf(token)],
  });
  const row = rows[0];
  if (!row || row.left_ms <= 0) return { wallet: null, untilMs: Number.POSITIVE_INFINITY };
  return { wallet: row.wallet, untilMs: Date.now() + row.left_ms };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
