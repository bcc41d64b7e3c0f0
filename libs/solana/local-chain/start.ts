import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { keypair } from '../keys.ts';
import { type Bank, openBank } from './bank.ts';
import {
  type Clock,
  type FaultPlan,
  type Genesis,
  type NodeName,
  openClock,
  openFaults,
} from './clock.ts';
import { invalid, type LocalChain, type LocalChainOptions, RpcError } from './errors.ts';
import { type Method, readMethods } from './methods.ts';
import {
  type LandedTransaction,
  openStore,
  type SavedChain,
  type Store,
  type StoredAccount,
} from './record.ts';
import { openSender } from './send.ts';

/** The RPC of the local chain: HTTP with CORS. Two paths are two nodes. */

const SECOND_PATH = '/second';

const BODY_MAX_BYTES = 256 * 1024;
const BATCH_MAX = 50;
const DELAY_MAX_MS = 60_000;
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type, solana-client',
  'access-control-max-age': '86400',
};

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly plan: FaultPlan;
  methods(node: NodeName): Readonly<Record<string, Method>>;
  /** Runs before every call: lands due transactions. */
  beforeCall(): void;
}

async function openServer(o: ServerOptions): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answerHttp(o, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.port, o.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${o.host}:${port}`, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

const nodeOf = (request: IncomingMessage): NodeName =>
  request.url?.split('?')[0] === SECOND_PATH ? 'second' : 'first';

async function answerHttp(o: ServerOptions, request: IncomingMessage, response: ServerResponse) {
  const node = nodeOf(request);
  if (o.plan.isAway(node)) return void request.socket.destroy();
  if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end();
  if (request.method !== 'POST') return void response.writeHead(405, CORS).end();
  const body = await readBody(request);
  if (body === null) return void response.writeHead(413, CORS).end();
  const answer = await answerText(o, node, body);
  if (answer === null) return void request.socket.destroy();
  response.writeHead(200, { ...CORS, 'content-type': 'application/json' }).end(answer);
}

/** Null if the body is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The response to a request or a batch; null to close the connection without one. Never rejects. */
async function answerText(o: ServerOptions, node: NodeName, body: string): Promise<string | null> {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    return JSON.stringify(fault(null, new RpcError(-32700, 'Parse error')));
  }
  if (!Array.isArray(request)) {
    const answer = await call(o, node, request);
    return answer && JSON.stringify(answer);
  }
  if (request.length === 0 || request.length > BATCH_MAX) {
    return JSON.stringify(fault(null, new RpcError(-32600, `Invalid batch; at most ${BATCH_MAX}`)));
  }
  const answers: object[] = [];
  for (const one of request) {
    const answer = await call(o, node, one);
    if (!answer) return null;
    answers.push(answer);
  }
  return JSON.stringify(answers);
}

async function call(o: ServerOptions, node: NodeName, request: unknown): Promise<object | null> {
  const methods = o.methods(node);
  const { id = null, method, params = [] } = (request ?? {}) as Readonly<Record<string, unknown>>;
  try {
    if (typeof method !== 'string') throw new RpcError(-32600, 'Invalid Request');
    if (!Array.isArray(params)) throw invalid('Invalid params: expected a list');
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!run) throw new RpcError(-32601, 'Method not found');
    const plan = o.plan.ofCall(method, node);
    if (plan.fail) throw new RpcError(-32603, 'Internal error');
    o.beforeCall();
    const result = await run(params);
    if (plan.delayMs > 0) await sleep(Math.min(plan.delayMs, DELAY_MAX_MS), null, { ref: false });
    return plan.hangUp ? null : { jsonrpc: '2.0', result, id };
  } catch (error) {
    return fault(id, error);
  }
}

function fault(id: unknown, error: unknown): object {
  const known = error instanceof RpcError ? error : new RpcError(-32603, 'Internal error');
  const { code, message, data } = known;
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

const SLOT_MS = 400;
const CONFIRM_AFTER_MS = 400;
const FINALIZE_AFTER_MS = 2_000;
const BLOCKHASH_BLOCKS = 150;
const SEED_BYTES = 32;
/** Balance of the purse, below the largest safe integer of JSON. */
const PURSE_LAMPORTS = '9000000000000000';

/** Starts the chain in the folder, or a new one, and serves its RPC. Throws if the port is in use. */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const { slotMs = SLOT_MS, blockhashBlocks = BLOCKHASH_BLOCKS } = options;
  const blocksIn = (ms: number) => Math.ceil(ms / slotMs);
  const confirmBlocks = blocksIn(options.confirmAfterMs ?? CONFIRM_AFTER_MS);
  const finalBlocks = Math.max(
    confirmBlocks,
    blocksIn(options.finalizeAfterMs ?? FINALIZE_AFTER_MS),
  );
  const { store, saved } = await openStore(options.folder);
  const { genesis, setting, accounts, landed } = saved ?? newChain();
  const manual = options.clock === 'manual';
  const clock = openClock({ genesis, setting, slotMs, manual });
  const bank = openBank({ clock, confirmBlocks, finalBlocks, blockhashBlocks, accounts, landed });
  const keep = keeper(store, bank, clock, genesis);
  if (!saved) await keep.all();
  const { faults, plan } = openFaults({
    lose(signature) {
      bank.lose(signature);
      keep.soon();
    },
    expireBlockhashes() {
      clock.expireBlockhashes();
      keep.setting();
    },
  });
  const purse = purseOf(genesis);
  const sender = openSender({ bank, clock, plan, purse, keep: (one) => keep.landed(one) });
  const ground = { bank, clock, genesisSeed: genesis.seed, blockhashBlocks };
  const methodsOf = (node: NodeName) => ({
    ...readMethods({
      ...ground,
      hides: (signature) => plan.hides(signature, node),
      keptFrom: () => plan.keptFrom(node),
      lag: () => plan.lagOf(node),
    }),
    ...sender.methods,
  });
  const methods = { first: methodsOf('first'), second: methodsOf('second') };
  const server = await openServer({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    plan,
    methods: (node) => methods[node],
    beforeCall: sender.landDue,
  });
  const timer = setInterval(sender.landDue, slotMs).unref();
  return {
    url: server.url,
    // With another host name, like a node of another provider.
    urls: [server.url, `${server.url.replace('127.0.0.1', 'localhost')}${SECOND_PATH}`],
    faults,
    blocksToFinal: finalBlocks + 1,
    purse: purse.publicKey.toBase58(),
    airdrop: sender.airdrop,
    run: (instructions, signers) => sender.run(instructions, signers.map(keypair)),
    advance(blocks) {
      clock.advance(blocks);
      keep.setting();
      sender.landDue();
    },
    async close() {
      clearInterval(timer);
      await server.close();
      // Compacts the file, so that the next start is fast.
      await keep.all();
      await store.close();
    },
  };
}

function newChain(): SavedChain {
  const genesis = { seed: randomBytes(SEED_BYTES).toString('hex'), timeMs: Date.now() };
  const purse: StoredAccount = {
    lamports: PURSE_LAMPORTS,
    data: '',
    owner: SystemProgram.programId.toBase58(),
    executable: false,
  };
  return {
    genesis,
    setting: { addedSlots: 0, expired: 0 },
    accounts: new Map([[purseOf(genesis).publicKey.toBase58(), purse]]),
    landed: [],
  };
}

function purseOf({ seed }: Genesis): Keypair {
  return Keypair.fromSeed(createHash('sha256').update(`purse ${seed}`).digest());
}

/** Writes changes to the disk. A disk failure fails the next call, which acknowledges nothing. */
function keeper(store: Store, bank: Bank, clock: Clock, genesis: Genesis) {
  const all = () =>
    store.rewrite({
      genesis,
      setting: clock.setting,
      accounts: bank.accounts(),
      landed: [...bank.landed()],
    });
  return {
    all,
    soon: () => void all().catch(() => {}),
    setting: () => void store.append({ setting: clock.setting }).catch(() => {}),
    landed: (landed: LandedTransaction) => store.append({ landed }),
  };
}
