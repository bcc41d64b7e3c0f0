import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WAIT } from './wait.ts';
import { layWire, type Wire } from './wire.ts';

const arrived: Socket[] = [];
const heard: string[] = [];
const server = createServer((socket) => {
  arrived.push(socket);
  socket.on('data', (bytes) => heard.push(String(bytes)));
  socket.on('error', () => {});
});
let wire: Wire;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  wire = await layWire(`http://127.0.0.1:${port}`);
});
afterAll(async () => {
  await wire.cut();
  for (const socket of arrived) socket.destroy();
  server.close();
});

async function open(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(wire.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

test('what connects while it is held reaches the server only when it is restored, with what it sent', async () => {
  await open('before');
  await vi.waitFor(() => expect(heard).toEqual(['before']), WAIT);
  wire.hold();
  const [one, other] = [await open('one'), await open('other')];
  // A third connection of the server's own is accepted after all before it.
  const { port } = server.address() as { port: number };
  const direct = connect(port, '127.0.0.1');
  await vi.waitFor(() => expect(arrived.at(-1)?.remotePort).toBe(direct.localPort), WAIT);
  expect(arrived).toHaveLength(2);
  expect(heard).toEqual(['before']);
  await wire.restore();
  await vi.waitFor(() => expect([...heard].sort()).toEqual(['before', 'one', 'other']), WAIT);
  for (const socket of [one, other, direct]) socket.destroy();
});
