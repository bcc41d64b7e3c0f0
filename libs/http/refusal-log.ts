import type { Logger } from '@reelbook/runtime/log';
import type { FastifyRequest } from 'fastify';
import { Refused } from './refused.ts';

/**
 * Maximum lines per code and window: a client can neither fill the disk nor hide one kind of refusal after another.
 * Metrics count every refusal by route and status.
 */
export const REFUSALS_PER_CODE_MAX = 20;
const WINDOW_MS = 60_000;

/**
 * Logs refused logins, sessions, roles, limits and malformed requests with the address of the client. Refusals by rules
 * of the ledger, such as a bet above the balance, are not logged.
 */
export function openRefusalLog(
  log: Logger,
): (error: unknown, request: FastifyRequest, status: number) => void {
  let windowStart = Number.NEGATIVE_INFINITY;
  let counts = new Map<string, number>();

  function startWindow(now: number): void {
    for (const [error, count] of counts) {
      const omitted = count - REFUSALS_PER_CODE_MAX;
      if (omitted > 0) log.warn({ error, omitted }, 'refusals were not logged');
    }
    windowStart = now;
    counts = new Map();
  }

  return (error, request, status) => {
    if (error instanceof Refused && 'rejected' in error.cause && status !== 403) return;
    const now = performance.now();
    if (now - windowStart > WINDOW_MS) startWindow(now);
    const code = codeOf(error);
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > REFUSALS_PER_CODE_MAX) return;
    const { id, ip: address, method } = request;
    const route = request.routeOptions?.url ?? 'none';
    log.info({ id, address, method, route, status, error: code }, 'refused');
  };
}

/** One of the catalogue or of Fastify; the number of different ones is limited. */
function codeOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
