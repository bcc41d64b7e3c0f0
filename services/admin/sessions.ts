import type { CommandExecutor } from '@reelbook/event-store/execute';
import { openTokens } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { roleOf } from '@reelbook/ledger/operators/state';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';

/**
 * Sessions of operators. The table stores only a hash of each token. Nothing is cached, so that an ended session ends
 * immediately.
 */
const SESSION_HOURS = 8;
/** Maximum expired rows removed per sweep. */
const SWEEP_ROWS_MAX = 10_000;

export interface LiveSession {
  readonly operator: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface OperatorSessions {
  /** Creates a token without a session; the ledger records only its `name`. */
  draw(): { readonly token: string; readonly name: string };
  /** Opens a session of the operator for the token. */
  open(token: string, operator: string): Promise<LiveSession>;
  /** A live session, or null. Rejects if the database is unreachable. */
  find(token: string | null): Promise<LiveSession | null>;
  revoke(token: string): Promise<void>;
  /** Ends every session of a wallet immediately. */
  revokeAll(operator: string): Promise<void>;
  /** Removes sessions that expired more than a day ago. */
  sweep(): Promise<void>;
}

export function openOperatorSessions(options: {
  readonly pool: pg.Pool;
  readonly key: Buffer;
}): OperatorSessions {
  const { pool, key } = options;
  const { draw, read } = openTokens({
    key,
    purpose: 'operator token',
    naming: 'operator session',
  });
  const hashOf = (token: string) => read(token)?.hash ?? null;
  return {
    draw,
    async open(token, operator) {
      const { rows } = await pool.query<{ expires_at: string }>(
        `insert into operator_sessions (token_hash, operator, expires_at)
          values ($1, $2, now() + make_interval(hours => $3)) returning expires_at`,
        [hashOf(token), operator, SESSION_HOURS],
      );
      const row = rows[0];
      assert(row, 'an insert returns its row');
      return { operator, expiresAt: row.expires_at };
    },
    async find(token) {
      const hash = token === null ? null : hashOf(token);
      if (!hash) return null;
      const { rows } = await pool.query<{ operator: string; expires_at: string }>({
        name: 'find-operator-session',
        text: `select operator, expires_at from operator_sessions
          where token_hash = $1 and expires_at > now() and revoked_at is null`,
        values: [hash],
      });
      const row = rows[0];
      return row ? { operator: row.operator, expiresAt: row.expires_at } : null;
    },
    async revoke(token) {
      await pool.query(
        'update operator_sessions set revoked_at = now() where token_hash = $1 and revoked_at is null',
        [hashOf(token)],
      );
    },
    async revokeAll(operator) {
      await pool.query(
        'update operator_sessions set revoked_at = now() where operator = $1 and revoked_at is null',
        [operator],
      );
    },
    async sweep() {
      await pool.query(
        `delete from operator_sessions where token_hash in (select token_hash from operator_sessions
          where expires_at < now() - interval '1 day' limit $1)`,
        [SWEEP_ROWS_MAX],
      );
    },
  };
}

/**
 * Ends the sessions of a wallet that has no role, before it gets one. The ledger already denies them access; they must not
 * have access again with the new role.
 */
export async function endFormerSessions(
  {
    executor,
    sessions,
  }: { readonly executor: CommandExecutor; readonly sessions: OperatorSessions },
  wallet: string,
): Promise<void> {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  if (roleOf(state, wallet) === null) await sessions.revokeAll(wallet);
}
