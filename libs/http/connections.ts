import type { Server } from 'node:http';
import { clientAddress } from './limits.ts';

/** All connections of a server. With all live sockets open (20,000), 5,000 remain for calls. */
const CONNECTIONS_MAX = 25_000;
/** Of one address, so that it cannot take the places of all others. */
const CONNECTIONS_PER_ADDRESS_MAX = 4_000;

/** Closes further connections immediately. Connections of proxies serve many clients: `perAddress` is then null. */
export function limitConnections(
  server: Server,
  perAddress: number | null = CONNECTIONS_PER_ADDRESS_MAX,
): void {
  server.maxConnections = CONNECTIONS_MAX;
  if (perAddress === null) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = clientAddress({ ip: socket.remoteAddress });
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > perAddress) socket.destroy();
  });
}
