import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { failureOf } from './failures.ts';
import { Refused } from './routes.ts';

const MINUTE_MS = 60_000;
/** Maximum callers counted per limit; the one with the oldest window is dropped. */
const CALLERS_MAX = 200_000;

interface LimitOptions {
  /** Calls per window. */
  readonly max: number;
  /** Default: a minute. */
  readonly windowMs?: number;
  /** Default: `too-many-requests`. */
  readonly failed?: 'too-many-requests' | 'too-many-new-players';
}

/** Counts the calls of each caller in fixed windows. In memory: each process counts its own calls. */
export interface Limit {
  /** Counts `cost` calls. @returns the seconds until the window ends if the caller exceeds the limit, else null. */
  count(caller: string, cost?: number): number | null;
  /** Like `count`, but throws `Refused` with 429. */
  take(caller: string, cost?: number): void;
  /** Throws `Refused` with 429 if `take` would throw. Counts nothing. */
  check(caller: string): void;
  /** Whether the caller has a call in its window. */
  has(caller: string): boolean;
}

/** A hook that throws `Refused` with 429. */
export type Limiter = (request: FastifyRequest) => Promise<void>;

interface Window {
  readonly endsMs: number;
  calls: number;
}

/** Uses the monotonic clock: a clock of the machine that is set back extends no window. */
export function openLimit(options: LimitOptions, nowMs = () => performance.now()): Limit {
  const { max, windowMs = MINUTE_MS, failed = 'too-many-requests' } = options;
  /** By the end of the window: all windows have the same length, and a new one is added at the end. */
  const windows = new Map<string, Window>();
  const dropExpired = (now: number) => {
    for (const [caller, { endsMs }] of windows) {
      if (endsMs > now && windows.size < CALLERS_MAX) return;
      windows.delete(caller);
    }
  };
  const callsOf = (caller: string, now: number) => {
    const window = windows.get(caller);
    return window && window.endsMs > now ? window : null;
  };
  const secondsTo = (endsMs: number, now: number) => Math.max(1, Math.ceil((endsMs - now) / 1_000));
  const count = (caller: string, cost = 1) => {
    const now = nowMs();
    let window = callsOf(caller, now);
    if (!window) {
      dropExpired(now);
      window = { endsMs: now + windowMs, calls: 0 };
      windows.set(caller, window);
    }
    window.calls += cost;
    return window.calls > max ? secondsTo(window.endsMs, now) : null;
  };
  const refuse = (retryAfterS: number) => {
    throw new Refused({ failed }, retryAfterS);
  };
  return {
    count,
    take(caller, cost) {
      const retryAfterS = count(caller, cost);
      if (retryAfterS !== null) refuse(retryAfterS);
    },
    check(caller) {
      const now = nowMs();
      const window = callsOf(caller, now);
      if (window && window.calls >= max) refuse(secondsTo(window.endsMs, now));
    },
    has: (caller) => callsOf(caller, nowMs()) !== null,
  };
}

/** The address of a client for limits: of IPv6 its /64 network, because one client has all addresses of it. */
export function clientAddress({ ip }: { readonly ip: string | undefined }): string {
  // A zone, as in fe80::1%eth0, and the port that some proxies add are no part of the address.
  const address = (ip ?? '')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*/, '');
  if (!isIPv6(address)) return address;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical);
  if (mapped) {
    const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const [head = '', tail] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(tail ? 8 - head.length - tail.length : 0).fill('0');
  return `${[...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(':')}::/64`;
}

const TOO_MANY_REQUESTS = 429;

/**
 * Limits of signed messages. A sign-in that fails uses up nothing that another wallet's sign-in needs, except the bound
 * `all` on the CPU time of verification; so the limit `accepted` of a wallet counts only what that wallet signed, and each
 * message once.
 */
export interface SignInLimits {
  /** Counts an attempt, before the body is read. */
  admit(address: string): void;
  /** Throws if the address has too many failed sign-ins: before something is recorded for a wallet without rights. */
  checkFailed(address: string): void;
  /** Runs a sign-in. Failed ones above the limit get 429 instead of their own refusal. */
  run<T>(
    by: { readonly address: string; readonly wallet: string },
    signIn: () => Promise<T>,
  ): Promise<T>;
}

export function openSignInLimits(limits: {
  /** Attempts per address. */
  readonly all: LimitOptions;
  /** Failed attempts per address. */
  readonly failed: LimitOptions;
  /** Successful sign-ins per wallet. */
  readonly accepted: LimitOptions;
}): SignInLimits {
  const all = openLimit(limits.all);
  const failed = openLimit(limits.failed);
  const accepted = openLimit(limits.accepted);
  return {
    admit: all.take,
    checkFailed: failed.check,
    async run({ address, wallet }, signIn) {
      accepted.check(wallet);
      try {
        const session = await signIn();
        accepted.count(wallet);
        return session;
      } catch (error) {
        if (error instanceof Refused && failureOf(error).status < TOO_MANY_REQUESTS) {
          failed.take(address);
        }
        throw error;
      }
    },
  };
}

/** The origin of a site in the address bar of browsers, which texts to sign name. */
export interface PublicOrigin {
  read(): string;
  /** Completes the default origin: with PORT=0 the port is known only after listening. */
  listensOn(url: string): void;
}

/** `origin` is the configured one; without it http://localhost and the port that is listened on. */
export function openOrigin({
  origin: configured = null,
  port,
}: {
  readonly origin?: string | null | undefined;
  readonly port: number;
}): PublicOrigin {
  const localhost = (listened: string | number) => new URL(`http://localhost:${listened}`).origin;
  let origin = configured ?? localhost(port);
  return {
    read: () => origin,
    listensOn(url) {
      if (configured === null) origin = localhost(new URL(url).port);
    },
  };
}
