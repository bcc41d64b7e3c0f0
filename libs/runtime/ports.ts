import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/**
 * Below what systems hand out to outgoing connections (from 32768 on Linux): else one of those, even the very attempt to
 * reach it, may hold the port of a server that is down for a moment, and it cannot come back.
 */
const PORT_MIN = 20_000;
const PORT_END = 32_000;
const TRIES_MAX = 100;

/** A port of the loopback interface that was free a moment ago, and that no outgoing connection takes. */
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

/** Whether the server on that port says something by itself when one connects, as NATS does. */
export function greets(port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once('data', () => finish(true));
    socket.once('error', () => finish(false));
    // Of a server behind another that takes connections for it, and then has nobody to hand them to.
    socket.once('close', () => finish(false));
  });
}
