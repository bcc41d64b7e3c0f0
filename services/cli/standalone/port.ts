import { createServer } from 'node:net';
import { StartError } from '@reelbook/runtime/lifecycle';
import { codeOf } from '@reelbook/runtime/processes';

/** `name` is the setting that asks for it. */
export interface AskedPort {
  readonly host: string;
  readonly port: number;
  readonly name: 'PORT' | 'ADMIN_PORT';
}

/** Asked before anything is started, so that a start which cannot be costs nothing. Throws StartError. */
export async function assertPortFree(asked: AskedPort): Promise<void> {
  const { host, port } = asked;
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  }).catch((error: unknown) => {
    throw portTaken(error, asked);
  });
}

/** What a failed listen means to a person; other errors as they are. */
export function portTaken(error: unknown, { host, port, name }: AskedPort): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is taken by another program.\n` +
          `Stop that one, or choose another: ${name}=${port + 1} npm start`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} may not be opened by this user: ports under 1024 are the system's.\n` +
          `Choose another: ${name}=8080 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${host} is not an address of this machine.`);
    default:
      return error;
  }
}
