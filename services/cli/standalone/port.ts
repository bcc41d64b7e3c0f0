import { createServer } from 'node:net';
import { StartError } from '@reelbook/runtime/lifecycle';
import { codeOf } from '@reelbook/runtime/processes';

/** `name` is the setting of the port. */
export interface WantedPort {
  readonly host: string;
  readonly port: number;
  readonly name: 'PORT' | 'ADMIN_PORT';
}

/** Fails the start before anything is opened. Throws StartError. */
export async function assertPortFree(wanted: WantedPort): Promise<void> {
  const { host, port } = wanted;
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  }).catch((error: unknown) => {
    throw portTaken(error, wanted);
  });
}

/** The StartError for a failed listen; other errors unchanged. */
export function portTaken(error: unknown, { host, port, name }: WantedPort): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use by another program.\n` +
          `Stop that program, or choose another port: ${name}=${port + 1} npm start`,
      );
    case 'EACCES':
      return new StartError(
        `This user may not open port ${port}: ports below 1024 require privileges.\n` +
          `Choose another port: ${name}=8080 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${host} is not an address of this machine.`);
    default:
      return error;
  }
}
