import websocket from '@fastify/websocket';
import { SOCKET_PATH } from '@reelbook/contract/paths';
import { SOCKET_MESSAGE_MAX_BYTES } from '@reelbook/contract/socket';
import { clientAddress, type Limiter } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/refused';
import type { FastifyInstance } from 'fastify';
import { socketTokenOf } from '../limits.ts';
import type { Push } from './push.ts';

/** Fragments and network packets of one message; thousands of 1 byte would take a hundred times the memory. */
const PARTS_MAX = 64;

/** `/ws?token=`. A dead token closes with code 4401: a browser cannot read the status of a refused upgrade. */
export async function openSocketRoute(
  app: FastifyInstance,
  push: Push,
  limit: Limiter,
): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: SOCKET_MESSAGE_MAX_BYTES,
      maxFragments: PARTS_MAX,
      maxBufferedChunks: PARTS_MAX,
      perMessageDeflate: false,
      autoPong: false,
    },
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
        push.accept(socket, { token: socketTokenOf(request), address: clientAddress(request) });
      },
    });
  });
}
