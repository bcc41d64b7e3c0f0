import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { limitConnections } from './server.ts';

test('one address has a limited number of connections; another address still connects', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  limitConnections(server, 2);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const responds = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]);
    return { socket, responds };
  };
  const first = await open('127.0.0.1');
  const second = await open('127.0.0.1');
  expect([first.responds, second.responds]).toEqual([true, true]);
  expect((await open('127.0.0.1')).responds).toBe(false);
  expect((await open('127.0.0.2')).responds).toBe(true);
  // A closed connection makes room.
  first.socket.destroy();
  await once(first.socket, 'close');
  await expect.poll(async () => (await open('127.0.0.1')).responds).toBe(true);
  server.closeAllConnections();
  server.close();
});
