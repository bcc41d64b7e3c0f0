import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { read } from './repository.ts';

export interface ReceivedAlert {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly alert: string;
    readonly subject: string | null;
    readonly service: string;
    readonly instance: string | null;
    readonly text: string;
    readonly facts: Readonly<Record<string, unknown>>;
    readonly since: string;
  };
}

/** A receiver of alerts that verifies each signature with the code of docs/operations.md. */
export interface AlertReceiver {
  readonly url: string;
  /** The settings of a service that sends here. */
  readonly environment: {
    readonly ALERT_WEBHOOK_URL: string;
    readonly ALERT_WEBHOOK_SECRET: string;
  };
  /** The accepted messages. */
  readonly alerts: readonly ReceivedAlert[];
  /** The ids of all requests. */
  readonly requests: readonly string[];
  /** Requests whose signature is not valid. */
  readonly forged: readonly string[];
  /** Handles the next requests; null: each is accepted. */
  respond(act: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

type Verify = (headers: IncomingHttpHeaders, body: string, secret: string) => boolean;

/** The example of the docs as a function. */
async function documentedVerify(): Promise<Verify> {
  const [, code] =
    /```js\n(import \{ createHmac[\s\S]+?)```\n/.exec(read('docs/operations.md')) ?? [];
  if (!code) throw new Error('docs/operations.md has no code that verifies a signature');
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module.isFromReelbook;
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const isFromReelbook = await documentedVerify();
  const secret = `whsec_${Buffer.alloc(32, 'alerts').toString('base64')}`;
  const alerts: ReceivedAlert[] = [];
  const requests: string[] = [];
  const forged: string[] = [];
  let respond: ((response: ServerResponse) => void) | null = null;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const id = String(request.headers['webhook-id']);
    requests.push(id);
    if (!isFromReelbook(request.headers, body, secret)) forged.push(id);
    if (respond) return respond(response);
    alerts.push({ id, ...JSON.parse(body) });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hidden-token`;
  return {
    ...{ url, alerts, requests, forged },
    environment: { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret },
    respond(act) {
      respond = act;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
