import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerTo, type Failure } from '@reelbook/contract/errors';

/**
 * What is no HTTP never reaches a route; it is answered in the envelope all the same, and the connection ends, for
 * nobody knows where its next request would begin.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const { status, body } = answerTo(failureOf(error.code));
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  }
  socket.destroy();
}

function failureOf(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return { failed: 'headers-too-large' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { failed: 'request-too-slow' };
  return { failed: 'bad-input', detail: { problem: 'this is no HTTP request' } };
}

/** An `Expect` that is not known is no reason to refuse a request; Node would, with an empty answer. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}
