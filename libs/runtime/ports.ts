import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports of outgoing connections (from 32768 on Linux). Otherwise an outgoing connection may take the port of a
 * server while the server restarts.
 */
const PORT_MIN = 20_000;
const PORT_END = 32_000;
const TRIES_MAX = 100;

let next = randomInt(PORT_MIN, PORT_END);

/**
 * A port of the loopback interface that is free at the time of the call and not used by outgoing connections. Each call has
 * another one: a server may listen on it much later.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = next++;
    if (next === PORT_END) next = PORT_MIN;
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${PORT_MIN} and ${PORT_END}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
