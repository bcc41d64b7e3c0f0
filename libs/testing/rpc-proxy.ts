import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node in front of another one, which changes what it answers. */
export interface RpcProxy {
  readonly url: string;
  close(): void;
}

type Answer = { result?: unknown; error?: unknown };

/** `change` gets each call and the honest answer; its result is sent. Batches are taken apart. A rejection closes the connection. */
export async function startRpcProxy(
  target: string,
  change: (call: RpcCall, honest: Answer) => Answer | Promise<Answer>,
): Promise<RpcProxy> {
  const answer = async (call: RpcCall, honest: Answer) => {
    const { result, error } = await change(call, honest);
    return { jsonrpc: '2.0', id: call.id, ...(error === undefined ? { result } : { error }) };
  };
  const respond = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(target, { method: 'POST', headers, body });
    const [asked, honest] = [JSON.parse(body), await response.json()];
    if (!Array.isArray(asked)) return JSON.stringify(await answer(asked, honest));
    const byId = new Map((honest as { id: unknown }[]).map((one) => [one.id, one as Answer]));
    const all = asked.map((call: RpcCall) => answer(call, byId.get(call.id) ?? {}));
    return JSON.stringify(await Promise.all(all));
  };
  const server = createServer((request, response) => {
    respond(request).then(
      (text) => response.setHeader('content-type', 'application/json').end(text),
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
