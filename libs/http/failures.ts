import { EventEmitter } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, answerTo, type Failure } from '@reelbook/contract/errors';
import { ClockSkew } from '@reelbook/event-store/clock';
import { isUnavailable } from '@reelbook/event-store/db';
import { Overloaded } from '@reelbook/event-store/execute';
import { Unreadable } from '@reelbook/event-store/read-log';
import { StateDiffers } from '@reelbook/event-store/read-stream';
import { SeedUnavailable } from '@reelbook/event-store/seed-vault';
import { reject } from '@reelbook/ledger/rejections';
import { ChainAway } from '@reelbook/solana/nodes';
import { Refused } from './routes.ts';

/** Maximum size of a request body. */
export const BODY_MAX_BYTES = 16 * 1024;

/** Postgres' code for a missing table: the first start of the projector creates the projections' tables. */
const UNDEFINED_TABLE = '42P01';

/** Maps any exception to a response of the catalogue. */
export function failureOf(error: unknown): Answer {
  if (error instanceof Refused) return answerTo(error.cause, error.retryAfterS);
  if (error instanceof Overloaded) return answerTo({ failed: 'overloaded' });
  if (error instanceof ClockSkew) return answerTo({ failed: 'clock-skew' });
  if (error instanceof StateDiffers) {
    return answerTo({ failed: 'state-differs', detail: { stream: error.stream } });
  }
  if (error instanceof Unreadable) {
    return answerTo({ failed: 'cannot-fold', detail: { why: error.message } });
  }
  if (error instanceof SeedUnavailable) return answerTo({ failed: 'seed-unavailable' });
  if (error instanceof ChainAway) return answerTo(reject('no-chain'));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Checked before database errors: a client that disconnects while sending is an ECONNRESET too.
  if (statusOf(error) < 500) return answerTo(frameworkFailure(error, code));
  if (isUnavailable(error) || code === UNDEFINED_TABLE) return answerTo({ failed: 'unavailable' });
  return answerTo(frameworkFailure(error, code));
}

/** Errors of Fastify itself, before a handler runs. */
function frameworkFailure(error: unknown, code: string): Failure {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { failed: 'body-too-large', detail: { maxBytes: BODY_MAX_BYTES } };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { failed: 'unsupported-media-type' };
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return { failed: 'bad-json' };
    default:
      if (statusOf(error) >= 500) return { failed: 'internal' };
      return { failed: 'bad-input', detail: { problem: 'the request is invalid' } };
  }
}

/** The 4xx status of a framework error; 500 for any other error. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/**
 * Responds to malformed HTTP in the envelope, then closes the connection: the boundary of the next request is unknown.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const { status, body } = answerTo(clientFailureOf(error.code));
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  }
  socket.destroy();
}

function clientFailureOf(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return { failed: 'headers-too-large' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { failed: 'request-too-slow' };
  return { failed: 'bad-input', detail: { problem: 'the request is not valid HTTP' } };
}

/** Ignores an unknown `Expect` header. Node would refuse the request with an empty response. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

const isWebSocket = ({ headers }: IncomingMessage) =>
  headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Emits `upgrade` for WebSockets only. A request for another protocol, such as `h2c`, is answered as if it had not asked,
 * which RFC 9110, 7.8 permits. From Node 22.21 and 24.9 on, a callback of the server decides. Earlier ones have stopped
 * parsing by then, so the request is parsed again, without the headers of the hop.
 */
export function webSocketUpgrades(server: Server): Server {
  const upgrades = new EventEmitter();
  Object.assign(server, { shouldUpgradeCallback: isWebSocket });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (isWebSocket(request)) {
      upgrades.emit('upgrade', request, socket, head);
      return;
    }
    const lines = [`${request.method} ${request.url} HTTP/1.1`, 'Connection: close'];
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
      if (!/^(connection|upgrade)$/i.test(name)) lines.push(`${name}: ${value}`);
    }
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    const parse = () => server.emit('connection', socket);
    // Of a pipelined request, the response before it comes first.
    const { _httpMessage: earlier } = socket as { readonly _httpMessage?: ServerResponse | null };
    if (earlier) earlier.once('close', parse);
    else parse();
  });
  return upgrades as unknown as Server;
}
