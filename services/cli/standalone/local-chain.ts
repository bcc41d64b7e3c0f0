/** The process of the local chain, for services that run apart: its RPC on LOCAL_CHAIN_PORT, and a faucet on PORT. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Service, startService } from '@reelbook/runtime/service';
import { readAddress } from '@reelbook/solana/keys';
import { serveLocalChain } from './chain.ts';

const BODY_MAX_BYTES = 1_024;

type Faucet = Awaited<ReturnType<typeof serveLocalChain>>['faucet'];

await startService({
  name: 'local-chain',
  async start(service) {
    const { url, faucet } = await serveLocalChain(service.settings, service);
    await openDoor(service, faucet);
    service.log.info({ url }, 'a chain of play money');
  },
});

/** `POST /faucet {"wallet": "..."}` gives BSM and SOL to anybody who asks, not too often: it is play money. */
async function openDoor({ log, settings, add }: Service, faucet: Faucet): Promise<void> {
  const server = createServer((request, response) => {
    give(faucet, request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'the faucet gave nothing');
      answer(response, 500, { error: 'the faucet gave nothing' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  add('faucet', {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function give(
  faucet: Faucet,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/faucet') {
    return answer(response, 404, { error: 'there is POST /faucet' });
  }
  const wallet = walletIn(await readBody(request));
  if (wallet === null) return answer(response, 400, { error: 'say {"wallet": "<address>"}' });
  const given = await faucet(wallet);
  answer(response, 'waitS' in given ? 429 : 200, given);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > BODY_MAX_BYTES) return '';
  }
  return text;
}

function walletIn(body: string): string | null {
  try {
    const { wallet } = JSON.parse(body) as { wallet?: unknown };
    return typeof wallet === 'string' && readAddress(wallet) ? wallet : null;
  } catch {
    return null;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
