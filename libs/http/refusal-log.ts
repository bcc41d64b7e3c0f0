import type { Logger } from '@reelbook/runtime/log';
import type { FastifyRequest } from 'fastify';
import { Refused } from './refused.ts';

/** Maximum lines per window, so that a client cannot fill the disk. Metrics count every refusal by route and status. */
export const REFUSALS_MAX = 100;
const WINDOW_MS = 60_000;

/**
 * Logs refused logins, sessions, roles, limits and malformed requests with the address of the client. Refusals by rules
 * of the ledger, such as a bet above the balance, are not logged.
 */
export function openRefusalLog(
  log: Logger,
): (error: unknown, request: FastifyRequest, status: number) => void {
  let windowStart = Number.NEGATIVE_INFINITY;
  let logged = 0;
  let omitted = 0;
  return (error, request, status) => {
    if (error instanceof Refused && 'rejected' in error.cause && status !== 403) return;
    const now = performance.now();
    if (now - windowStart > WINDOW_MS) {
      if (omitted > 0) log.warn({ omitted }, 'refusals were not logged');
      windowStart = now;
      logged = 0;
      omitted = 0;
    }
    if (logged === REFUSALS_MAX) {
      omitted++;
      return;
    }
    logged++;
    const { id, ip: address, method } = request;
    const { url: route = 'none' } = request.routeOptions;
    const refusal = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const code = error instanceof Refused ? error.message : refusal;
    log.info({ id, address, method, route, status, error: code }, 'refused');
  };
}
