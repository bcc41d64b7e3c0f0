/** The RPC of the local chain: HTTP with CORS, and a websocket on the same port. Two paths are two nodes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { invalid, RpcError } from './errors.ts';
import type { FaultPlan, NodeName } from './faults.ts';
import type { Method } from './methods.ts';

export const SECOND_PATH = '/second';

const BODY_MAX_BYTES = 256 * 1024;
const BATCH_MAX = 50;
const SOCKETS_MAX = 1_000;
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
  /** Methods of websockets only. */
  socketMethods(socket: WebSocket): Readonly<Record<string, Method>>;
  onSocketClosed(socket: WebSocket): void;
  /** Runs before every call: lands due transactions. */
  beforeCall(): void;
  /** Runs after every call that may have changed the chain. */
  afterCall(): void;
}

export async function openServer(
  o: ServerOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answerHttp(o, request, response).catch(() => request.socket.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: BODY_MAX_BYTES });
  server.on('upgrade', (request, socket, head) => upgrade(o, sockets, request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.port, o.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${o.host}:${port}`, close: () => closeServer(server, sockets) };
}

async function closeServer(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
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
  const answer = await answerText(o, node, body, o.methods(node));
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

function upgrade(
  o: ServerOptions,
  sockets: WebSocketServer,
  request: IncomingMessage,
  stream: Duplex,
  head: Buffer,
): void {
  const node = nodeOf(request);
  if (o.plan.isAway(node) || sockets.clients.size >= SOCKETS_MAX) return void stream.destroy();
  sockets.handleUpgrade(request, stream, head, (socket) => {
    const methods = { ...o.methods(node), ...o.socketMethods(socket) };
    socket.on('close', () => o.onSocketClosed(socket));
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: RawData) => {
      void answerText(o, node, String(data), methods).then((answer) => {
        if (answer === null) socket.terminate();
        else socket.send(answer);
      });
    });
  });
}

/** The response to a request or a batch; null to close the connection without one. Never rejects. */
async function answerText(
  o: ServerOptions,
  node: NodeName,
  body: string,
  methods: Readonly<Record<string, Method>>,
): Promise<string | null> {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return JSON.stringify(fault(null, new RpcError(-32700, 'Parse error')));
  }
  if (!Array.isArray(request)) {
    const answer = await call(o, node, request, methods);
    return answer && JSON.stringify(answer);
  }
  if (request.length === 0 || request.length > BATCH_MAX) {
    return JSON.stringify(fault(null, new RpcError(-32600, `Invalid batch; at most ${BATCH_MAX}`)));
  }
  const answers: object[] = [];
  for (const one of request) {
    const answer = await call(o, node, one, methods);
    if (!answer) return null;
    answers.push(answer);
  }
  return JSON.stringify(answers);
}

async function call(
  o: ServerOptions,
  node: NodeName,
  request: unknown,
  methods: Readonly<Record<string, Method>>,
): Promise<object | null> {
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
    o.afterCall();
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
