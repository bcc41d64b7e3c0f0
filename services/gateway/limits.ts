import { limiter } from '@reelbook/http/limiter';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Requests a minute. Set so high that no person and no honest client meets them, and that one address with many
 * players behind it (an office, a load test) does not either; they bound what one caller can cost.
 */
const LOGINS_PER_ADDRESS = 3_000;
const PUBLIC_PER_ADDRESS = 30_000;
const SOCKETS_PER_ADDRESS = 6_000;
const CALLS_PER_PLAYER = 12_000;

export interface Limits {
  login(request: FastifyRequest): Promise<void>;
  publicCall(request: FastifyRequest): Promise<void>;
  socket(request: FastifyRequest): Promise<void>;
  /** By player; by address for who is none, so that guessing tokens is bounded as well. */
  playerCall(request: FastifyRequest, wallet: string | null): Promise<void>;
}

/** Throws `Refused` with 429 for who calls too often. */
export function openLimits(app: FastifyInstance): Limits {
  const byAddress = (name: string, max: number) =>
    limiter(app, max, (request) => `${name}:${request.ip}`);
  const login = byAddress('login', LOGINS_PER_ADDRESS);
  const publicCall = byAddress('public', PUBLIC_PER_ADDRESS);
  const socket = byAddress('socket', SOCKETS_PER_ADDRESS);
  const player = limiter(app, CALLS_PER_PLAYER, (request) => `player:${request.wallet}`);
  return {
    login,
    publicCall,
    socket,
    playerCall: (request, wallet) => (wallet === null ? publicCall(request) : player(request)),
  };
}
