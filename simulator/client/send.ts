import { API_BASE } from '@reelbook/contract/paths';

const ANSWER_TIMEOUT_MS = 10_000;

export interface Sending {
  readonly path: string;
  readonly body: unknown;
  readonly token?: string;
  readonly key?: string;
  /** Gives up before that: the client that does not wait. */
  readonly patienceMs?: number;
}

export type Sent =
  | { readonly kind: 'answer'; readonly status: number; readonly message: string; data: unknown }
  /** Refused for now, with the time after which to come again. */
  | { readonly kind: 'busy' }
  /** No answer: nobody knows whether it happened. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'fault'; readonly fault: string };

/** One try of one call. Never throws: what a crash does to it is what the run is about. */
export async function send(origin: string, o: Sending): Promise<Sent> {
  try {
    const response = await fetch(origin + API_BASE + o.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(o.token ? { authorization: `Bearer ${o.token}` } : {}),
        ...(o.key ? { 'idempotency-key': o.key } : {}),
      },
      body: JSON.stringify(o.body),
      signal: AbortSignal.timeout(o.patienceMs ?? ANSWER_TIMEOUT_MS),
    });
    const { status, headers } = response;
    const { data, message } = (await response.json()) as { data: unknown; message: string };
    if (status === 503 || status === 429) {
      if (Number(headers.get('retry-after')) > 0) return { kind: 'busy' };
      return { kind: 'fault', fault: `${o.path}: ${status} does not say when to come again` };
    }
    if (status >= 500 || status === 401 || status === 422) {
      return { kind: 'fault', fault: `${o.path}: ${status} ${message}` };
    }
    return { kind: 'answer', status, message, data };
  } catch {
    return { kind: 'silence' };
  }
}
