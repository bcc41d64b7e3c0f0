import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT } from './wait.ts';

export interface RawRequest {
  readonly method: string;
  /** With its query, as it goes over the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const TRIES_MAX = 10;

/**
 * Sends requests that `fetch` would correct or refuse: odd paths, methods, headers, a body with GET. A 503 that names a time
 * is sent again, as by every client.
 */
export function openRawClient(url: string): {
  send(o: RawRequest): Promise<RawAnswer>;
  close(): void;
} {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    close: () => agent.destroy(),
    async send(o) {
      const { method, path, body } = o;
      const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
      const headers = { ...o.headers, ...length };
      for (let tries = 1; ; tries++) {
        const sent = request({ hostname, port, agent, method, path, headers });
        const answering = answerTo(sent);
        sent.end(body ?? undefined);
        const answer = await answering;
        const afterS = answer.status === 503 ? Number(answer.headers['retry-after'] ?? 0) : 0;
        if (afterS === 0 || tries === TRIES_MAX) return answer;
        await sleep(afterS * 1_000);
      }
    },
  };
}

function answerTo(sent: ClientRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    sent.setTimeout(WAIT.timeout, () => sent.destroy(new Error('no answer came')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
  });
}

/** Sends a request of the holder of a token without the last byte of its body, which `finish` sends. */
export function sendLate(
  url: string,
  o: Pick<RawRequest, 'method' | 'path'> & { readonly token: string; readonly body: object },
) {
  const body = JSON.stringify(o.body);
  const sent = request(new URL(o.path, url), {
    method: o.method,
    agent: new Agent({ maxSockets: 1 }),
    headers: {
      authorization: `Bearer ${o.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  const answer = answerTo(sent);
  sent.write(body.slice(0, -1));
  return {
    async finish(): Promise<{ readonly status: number; readonly error: string | undefined }> {
      sent.end(body.slice(-1));
      const { status, text } = await answer;
      const { data } = JSON.parse(text) as { data?: { error?: string } };
      return { status, error: data?.error };
    },
  };
}

/**
 * Writes bytes to a fresh connection and gives all that came back until the server closed it; `hangUp` closes it once they
 * are written.
 */
export function sendBytes(
  url: string,
  bytes: string,
  o: { hangUp?: boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(bytes, 'latin1', () => o.hangUp && socket.destroy()),
    );
    const timer = setTimeout(() => socket.destroy(), WAIT.timeout);
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}
