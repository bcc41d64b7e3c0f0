import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports of outgoing connections (from 32768 on Linux). Otherwise an outgoing connection may take the port of a
 * server while the server restarts.
 */
const PORT_MIN = 20_000;
const PORT_END = 32_000;
const TRIES_MAX = 100;

/** A port of the loopback interface that is free at the time of the call and not used by outgoing connections. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(PORT_MIN, PORT_END);
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
