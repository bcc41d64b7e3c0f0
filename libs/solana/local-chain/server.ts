/** The RPC of the local chain: HTTP with CORS. Two paths are two nodes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, RpcError } from './errors.ts';
import type { FaultPlan, NodeName } from './faults.ts';
import type { Method } from './methods.ts';

export const SECOND_PATH = '/second';

const BODY_MAX_BYTES = 256 * 1024;
const BATCH_MAX = 50;
const DELAY_MAX_MS = 60_000;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type, solana-client',
  'access-control-max-age': '86400',
};

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly plan: FaultPlan;
  methods(node: NodeName): Readonly<Record<string, Method>>;
  /** Runs before every call: lands due transactions. */
  beforeCall(): void;
}

export async function openServer(
  o: ServerOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answerHttp(o, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.port, o.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${o.host}:${port}`, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

const nodeOf = (request: IncomingMessage): NodeName =>
  request.url?.split('?')[0] === SECOND_PATH ? 'second' : 'first';

async function answerHttp(o: ServerOptions, request: IncomingMessage, response: ServerResponse) {
  const node = nodeOf(request);
  if (o.plan.isAway(node)) return void request.socket.destroy();
  if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end();
  if (request.method !== 'POST') return void response.writeHead(405, CORS).end();
  const body = await readBody(request);
  if (body === null) return void response.writeHead(413, CORS).end();
  const answer = await answerText(o, node, body);
  if (answer === null) return void request.socket.destroy();
  response.writeHead(200, { ...CORS, 'content-type': 'application/json' }).end(answer);
}

/** Null if the body is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The response to a request or a batch; null to close the connection without one. Never rejects. */
async function answerText(o: ServerOptions, node: NodeName, body: string): Promise<string | null> {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return JSON.stringify(fault(null, new RpcError(-32700, 'Parse error')));
  }
  if (!Array.isArray(request)) {
    const answer = await call(o, node, request);
    return answer && JSON.stringify(answer);
  }
  if (request.length === 0 || request.length > BATCH_MAX) {
    return JSON.stringify(fault(null, new RpcError(-32600, `Invalid batch; at most ${BATCH_MAX}`)));
  }
  const answers: object[] = [];
  for (const one of request) {
    const answer = await call(o, node, one);
    if (!answer) return null;
    answers.push(answer);
  }
  return JSON.stringify(answers);
}

async function call(o: ServerOptions, node: NodeName, request: unknown): Promise<object | null> {
  const methods = o.methods(node);
  const { id = null, method, params = [] } = (request ?? {}) as Readonly<Record<string, unknown>>;
  try {
    if (typeof method !== 'string') throw new RpcError(-32600, 'Invalid Request');
    if (!Array.isArray(params)) throw invalid('Invalid params: expected a list');
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!run) throw new RpcError(-32601, 'Method not found');
    const plan = o.plan.ofCall(method, node);
    if (plan.fail) throw new RpcError(-32603, 'Internal error');
    o.beforeCall();
    const result = await run(params);
    if (plan.delayMs > 0) await sleep(Math.min(plan.delayMs, DELAY_MAX_MS), null, { ref: false });
    return plan.hangUp ? null : { jsonrpc: '2.0', result, id };
  } catch (error) {
    return fault(id, error);
  }
}

function fault(id: unknown, error: unknown): object {
  const known = error instanceof RpcError ? error : new RpcError(-32603, 'Internal error');
  const { code, message, data } = known;
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}
