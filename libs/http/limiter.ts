import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from './refused.ts';

const WINDOW_MS = 60_000;
/** Callers counted at the same time; beyond, the least recent is forgotten. */
const CALLERS_COUNTED_MAX = 200_000;

export type Limiter = (request: FastifyRequest) => Promise<void>;

/** Makes `limiter` work on this server. */
export async function openLimiters(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, cache: CALLERS_COUNTED_MAX });
}

/** Throws `Refused` with 429 for a key that calls more than `max` times a minute. Needs `openLimiters`. */
export function limiter(
  app: FastifyInstance,
  max: number,
  keyGenerator: (request: FastifyRequest) => string,
): Limiter {
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  return async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) {
      throw new Refused({ failed: 'too-many-requests' }, Math.max(1, counted.ttlInSeconds));
    }
  };
}
