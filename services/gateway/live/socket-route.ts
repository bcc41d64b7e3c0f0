import websocket from '@fastify/websocket';
import { isSameSite } from '@reelbook/contract/login';
import { SOCKET_PATH } from '@reelbook/contract/route';
import { SOCKET_MESSAGE_MAX_BYTES } from '@reelbook/contract/socket';
import { webSocketUpgrades } from '@reelbook/http/failures';
import { clientAddress, type Limiter, type PublicOrigin } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { socketTokenOf } from '../limits.ts';
import type { Push } from './push.ts';

/** Fragments and network packets of one message; thousands of 1 byte would take a hundred times the memory. */
const PARTS_MAX = 64;

/** `/ws?token=`. A dead token closes with code 4401: a browser cannot read the status of a refused upgrade. */
export async function openSocketRoute(
  app: FastifyInstance,
  options: { readonly push: Push; readonly limit: Limiter; readonly origin: PublicOrigin },
): Promise<void> {
  const { push, limit, origin } = options;
  await app.register(websocket, {
    options: {
      server: webSocketUpgrades(app.server),
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
      async onRequest(request) {
        await limit(request);
        checkOrigin(request, origin.read());
      },
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

/** Browsers send the origin of the page. Clients without that header are not browsers. */
function checkOrigin({ headers }: FastifyRequest, site: string): void {
  if (headers.origin === undefined || isSameSite(headers.origin, site)) return;
  const problem = 'a page of another origin opens no socket here';
  throw new Refused({ failed: 'bad-input', detail: { problem } });
}
