import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@reelbook/contract/route';
import { pick, type Random } from '@reelbook/testing/random';
import type { Journal } from './journal.ts';

const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 200;
/** Of a client whose gateways may die: it does not wait long for one of them. */
const ATTEMPT_TIMEOUT_MS = 10_000;
const TRY_AGAIN_MS = 150;

export interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly message: string;
  readonly position: number | null;
  readonly retryAfterS: number;
  /** The gateway that answered. */
  readonly origin: string;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly token?: string;
  readonly body?: unknown;
  readonly key?: string;
  /** The highest position that the caller has seen. */
  readonly known?: number;
  readonly timeoutMs?: number | undefined;
}

async function request<Data>(origin: string, path: string, o: Call): Promise<Answer<Data>> {
  const response = await fetch(origin + API_BASE + path, {
    method: o.method ?? (o.body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(o.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(o.token ? { authorization: `Bearer ${o.token}` } : {}),
      ...(o.key ? { 'idempotency-key': o.key } : {}),
      ...(o.known === undefined ? {} : { 'x-ledger-position': String(o.known) }),
    },
    ...(o.body === undefined ? {} : { body: JSON.stringify(o.body) }),
    signal: AbortSignal.timeout(o.timeoutMs ?? TIMEOUT_MS),
  });
  const { data, message } = (await response.json()) as { data: Data; message: string };
  const position = response.headers.get('x-ledger-position');
  return {
    status: response.status,
    data,
    message,
    origin,
    position: position === null ? null : Number(position),
    retryAfterS: Number(response.headers.get('retry-after') ?? 0),
  };
}

const isBusy = ({ status }: Answer<unknown>) => status === 429 || status === 503;

/** One call of the API over real HTTP. A 429 or 503 is tried again after the time the server asks for. */
export async function call<Data>(site: string, path: string, o: Call = {}): Promise<Answer<Data>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await request<Data>(site, path, o);
    if (!isBusy(answer) || attempt === ATTEMPTS_MAX) return answer;
    await sleep(answer.retryAfterS * 1_000 + PAUSE_MS);
  }
}

/** As `call`, for what must succeed: throws with the server's message otherwise. */
export async function must<Data>(site: string, path: string, o: Call = {}): Promise<Data> {
  const answer = await call<Data>(site, path, o);
  if (answer.status !== 200) {
    throw new Error(`${o.method ?? ''} ${path}: ${answer.status} ${answer.message}`);
  }
  return answer.data;
}

/**
 * One attempt of a client whose gateways may die: null is no acknowledgement, so the same call has to be sent again. What
 * a healthy site never answers is a fault in the journal.
 */
export async function attempt<Data>(
  origin: string,
  path: string,
  o: Call & { readonly journal: Pick<Journal, 'faults' | 'unserved'> },
): Promise<Answer<Data> | null> {
  const { faults, unserved } = o.journal;
  let answer: Answer<Data>;
  try {
    answer = await request(origin, path, { timeoutMs: ATTEMPT_TIMEOUT_MS, ...o });
  } catch {
    unserved.silent++;
    return null;
  }
  const { status, message } = answer;
  if (isBusy(answer)) {
    unserved.busy++;
    if (answer.retryAfterS <= 0) faults.push(`${path}: ${status} without a time to come again`);
    return null;
  }
  if (status >= 500 || status === 401 || status === 422) {
    faults.push(`${path}: ${status} ${message}`);
  }
  return status >= 500 ? null : answer;
}

/** Who persists a call until it is acknowledged, and on which gateways. */
export interface Persistent {
  readonly origins: readonly string[];
  readonly random: Random;
  readonly journal: Pick<Journal, 'faults' | 'unserved'>;
  /** Nothing is tried any more once it aborts, or after so long; the call then rejects. */
  readonly giveUp?: AbortSignal;
  readonly patienceMs?: number;
  /** Of each attempt. */
  readonly timeoutMs?: number | undefined;
}

/** Retries until acknowledged, on any of the gateways. `next` gives the call of each attempt. */
export async function insist<Data>(
  { origins, random, journal, giveUp, patienceMs, timeoutMs = ATTEMPT_TIMEOUT_MS }: Persistent,
  path: string,
  next: () => Call,
): Promise<Answer<Data>> {
  const begun = performance.now();
  for (;;) {
    giveUp?.throwIfAborted();
    const answer = await attempt<Data>(pick(random, origins), path, {
      timeoutMs,
      ...next(),
      journal,
    });
    if (answer) return answer;
    if (patienceMs && performance.now() - begun > patienceMs) {
      throw new Error(`${path}: no answer in ${patienceMs / 1_000} s`);
    }
    await sleep(TRY_AGAIN_MS * (0.5 + random()));
  }
}

/** The sentence that wallets sign at this site. */
export async function readSentence(site: string): Promise<string> {
  return (await must<{ login_sentence: string }>(site, '/config/system')).login_sentence;
}
