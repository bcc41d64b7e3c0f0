import { connect } from 'node:net';

/** Whether the server on that port sends data when a client connects. */
export function greets(port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once('data', () => finish(true));
    socket.once('error', () => finish(false));
    // A proxy accepts the connection, then closes it because its server is unavailable.
    socket.once('close', () => finish(false));
  });
}
