import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerTo, type Failure } from '@reelbook/contract/errors';

/**
 * Responds to malformed HTTP in the envelope, then closes the connection: the boundary of the next request is unknown.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const { status, body } = answerTo(failureOf(error.code));
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

function failureOf(code: string | undefined): Failure {
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
