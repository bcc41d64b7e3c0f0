/** The process of the local chain, for services in other processes: RPC on LOCAL_CHAIN_PORT, faucet on PORT. */
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
    await serveFaucet(service, faucet);
    service.log.info({ url }, 'local chain started');
  },
});

/** `POST /faucet {"wallet": "..."}` pays play-money BSM and SOL to any wallet, rate-limited. */
async function serveFaucet({ log, settings, add }: Service, faucet: Faucet): Promise<void> {
  const server = createServer((request, response) => {
    pay(faucet, request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'the faucet failed');
      respond(response, 500, { error: 'the faucet failed' });
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

async function pay(
  faucet: Faucet,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/faucet') {
    return respond(response, 404, { error: 'not found; use POST /faucet' });
  }
  const wallet = walletIn(await readBody(request));
  if (wallet === null)
    return respond(response, 400, { error: 'the body must be {"wallet": "<address>"}' });
  const paid = await faucet(wallet);
  respond(response, 'waitS' in paid ? 429 : 200, paid);
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

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
