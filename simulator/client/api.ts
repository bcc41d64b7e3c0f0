import { API_BASE } from '@reelbook/contract/paths';

const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 200;

export interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly message: string;
  readonly position: number | null;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly token?: string;
  readonly body?: unknown;
  readonly key?: string;
}

/** One call of the player API over real HTTP. A 429 or 503 is tried again after the time the server asks for. */
export async function call<Data>(site: string, path: string, o: Call = {}): Promise<Answer<Data>> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(site + API_BASE + path, {
      method: o.method ?? (o.body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(o.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(o.token ? { authorization: `Bearer ${o.token}` } : {}),
        ...(o.key ? { 'idempotency-key': o.key } : {}),
      },
      ...(o.body === undefined ? {} : { body: JSON.stringify(o.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { data, message } = (await response.json()) as { data: Data; message: string };
    const again = response.status === 429 || response.status === 503;
    if (!again || attempt === ATTEMPTS_MAX) {
      const position = response.headers.get('x-ledger-position');
      return {
        status: response.status,
        data,
        message,
        position: position === null ? null : Number(position),
      };
    }
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + PAUSE_MS));
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
