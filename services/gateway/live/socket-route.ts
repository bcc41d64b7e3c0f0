import websocket from '@fastify/websocket';
import { SOCKET_PATH } from '@reelbook/contract/paths';
import { SOCKET_MESSAGE_MAX_BYTES } from '@reelbook/contract/socket';
import type { Limiter } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/refused';
import type { FastifyInstance } from 'fastify';
import { socketTokenOf } from '../limits.ts';
import type { Push } from './push.ts';

/** `/ws?token=`. A dead token closes with code 4401: a browser cannot read the status of a refused upgrade. */
export async function openSocketRoute(
  app: FastifyInstance,
  push: Push,
  limit: Limiter,
): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: SOCKET_MESSAGE_MAX_BYTES, perMessageDeflate: false },
    errorHandler: (_error, socket) => socket.terminate(),
  });
  app.register(async (scope) => {
    scope.route({
      method: 'GET',
      url: SOCKET_PATH,
      schema: { hide: true },
      onRequest: limit,
      handler() {
        const problem = 'open this path as a WebSocket';
        throw new Refused({ failed: 'bad-input', detail: { problem } });
      },
      wsHandler(socket, request) {
        push.accept(socket, socketTokenOf(request));
      },
    });
  });
}
