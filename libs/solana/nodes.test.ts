import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ChainAway, openNodes } from './nodes.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a redirect of an RPC is not followed: another host would answer as this provider', async () => {
  let asked = 0;
  const other = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      asked++;
      const { id } = JSON.parse(text);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 42 }));
    });
  });
  const height = (url: string) =>
    openNodes({ urls: [url], timeoutMs: 60_000 }).read('height', (rpc) => rpc.getBlockHeight());
  expect(await height(other)).toBe(42);
  const redirecting = await listen((_request, response) => {
    response.writeHead(307, { location: other }).end();
  });
  await expect(height(redirecting)).rejects.toThrow(ChainAway);
  expect(asked).toBe(1);
});
